import Testing
import Wire

@testable import Crypto

/// Which of a payload's recipients opens it, and what is said when none does.
struct RecipientTests {
    private let fixture: PayloadFixture

    init() throws { fixture = try PayloadFixture() }

    private func payload(_ recipients: [[UInt8]], version: Int = 2) throws -> [UInt8] {
        EnvelopedDataSealer.contentInfo(
            version: version,
            recipients: recipients,
            cipher: fixture.cipher,
            content: try fixture.content()
        )
    }

    /// A recipient with our name and a key that is encrypted for somebody else.
    private func stranger() throws -> [UInt8] {
        let key = try fixture.other.certificate.publicKey.encryptOAEP(fixture.key, .sha256)
        return EnvelopedDataSealer.recipientInfo(
            fixture.recipient.certificate,
            algorithm: OAEPParameters.sha256.algorithmIdentifier,
            encryptedKey: key
        )
    }

    private func old() throws -> [UInt8] {
        try EnvelopedDataSealer.recipientInfo(fixture.recipient.certificate, key: fixture.key, .pkcs1)
    }

    private func open(
        _ bytes: [UInt8],
        _ recipients: [PayloadRecipient],
        _ detail: EnvelopedDataOpener.Detail
    ) throws -> Checked<OpenedPayload> {
        try EnvelopedDataOpener.open(bytes, recipients: recipients, detail: detail)
    }

    @Test(arguments: [EnvelopedDataOpener.Detail.diagnosed, .uniform])
    func `row 102: of several recipients with our name any may open it, in any order`(
        _ detail: EnvelopedDataOpener.Detail
    ) throws {
        let (ours, stranger, old) = (try fixture.info(), try stranger(), try old())
        let nine = [[UInt8]](repeating: stranger, count: 9)
        for recipients in [[ours, stranger], [stranger, ours], [old, ours], [ours, old], nine + [ours]] {
            // A SET OF is sorted by DER, so the order is the sender's only in BER; it is written as given here.
            let checked = try open(try payload(recipients), [fixture.recipient], detail)
            #expect(checked.isAccepted, "\(checked.checks)")
            #expect(checked.value?.plaintext.bytes == fixture.plaintext)
        }
    }

    @Test func `row 102: where none opens, it says how many carried our name and why each failed`() throws {
        let checked = try open(try payload([try stranger(), try old()]), [fixture.recipient], .diagnosed)
        #expect(checked.failures.map { $0.code?.name } == ["CMS_RSA_PKCS1V15", "CMS_KEY_NOT_OPENED"])
        #expect(checked.checks.contains { $0.evidence?.hasSuffix("2 of 2 recipients are ours") == true })
        #expect(checked.failures.allSatisfy { $0.evidence?.hasPrefix("recipient ") == true })
    }

    @Test func `each recipient of ours costs one operation under strict rules`() throws {
        let bytes = try payload([try stranger(), try fixture.info(), try stranger()])
        let (checked, work) = try WorkMeter.counting { try open(bytes, [fixture.recipient], .uniform) }
        #expect(checked.isAccepted)
        #expect(work == WorkMeter.Work(privateKey: 3, content: 1))
        let many = try payload([[UInt8]](repeating: try stranger(), count: 60))
        let (_, most) = try WorkMeter.counting { try open(many, [fixture.recipient], .uniform) }
        #expect(most == WorkMeter.Work(privateKey: RecipientTrial.limit, content: 1))
    }

    @Test func `a replaced key opens with a warning, a retired one is named`() throws {
        let bytes = try payload([try fixture.info()])
        let replaced = try open(bytes, [fixture.recipient.standing(.replaced)], .diagnosed)
        #expect(replaced.isAccepted)
        #expect(replaced.checks.compactMap { $0.code?.name } == ["PAYLOAD_KEY_NOT_ACTIVE"])
        for detail in [EnvelopedDataOpener.Detail.diagnosed, .uniform] {
            let retired = try open(bytes, [fixture.recipient.standing(.retired), fixture.other], detail)
            #expect(retired.failures.map { $0.code?.name } == ["CMS_NO_RECIPIENT"])
            #expect(retired.failures.first?.evidence?.hasPrefix("retired: PAYLOAD-KEY-1; ") == true)
            #expect(retired.failures.first?.evidence?.hasSuffix("accepted: OTHER") == true)
        }
    }

    @Test func `row 101: recipients of another kind and odd versions beside ours do not matter`() throws {
        let ours = try fixture.info()
        let agreement = DER.context(1, DER.sequence(DER.integer(3)))
        let symmetric = DER.context(2, DER.sequence(DER.integer(4)))
        let password = DER.context(3, DER.sequence(DER.integer(0)))
        for other in [agreement, symmetric, password] {
            let beside = try open(try payload([other, ours]), [fixture.recipient], .diagnosed)
            #expect(beside.isAccepted, "\(beside.checks)")
            let alone = try open(try payload([other]), [fixture.recipient], .diagnosed)
            #expect(alone.failures.map { $0.code?.name } == ["CMS_NO_RECIPIENT"])
            #expect(alone.failures.first?.evidence?.contains("payload: a ") == true, "\(alone.failures)")
        }
        for version in [0, 1, 3, 4, 99] {
            #expect(try open(try payload([ours], version: version), [fixture.recipient], .diagnosed).isAccepted)
        }
    }

    @Test func `row 101: ciphers that libraries take unless told otherwise are named, or open with a warning`() throws {
        let ours = try fixture.info()
        let iv = DER.octetString([UInt8](repeating: 6, count: 8))
        for cipher in [OID.tdeaCBC, OID(1, 2, 840, 113549, 3, 2)] {
            let bytes = EnvelopedDataSealer.contentInfo(
                recipients: [ours],
                cipher: DER.sequence(DER.oid(cipher), iv),
                content: try fixture.content()
            )
            let checked = try open(bytes, [fixture.recipient], .diagnosed)
            #expect(checked.failures.map { $0.code?.name } == ["CMS_CONTENT_CIPHER"])
            #expect(checked.failures.first?.evidence == cipher.cmsName)
        }
        let short = SecretBytes([UInt8](repeating: 5, count: 16))
        let bytes = EnvelopedDataSealer.contentInfo(
            recipients: [
                try EnvelopedDataSealer.recipientInfo(fixture.recipient.certificate, key: short, .oaep(.sha256))
            ],
            cipher: DER.sequence(DER.oid(.aes128CBC), DER.octetString(fixture.iv)),
            content: try AESCBC.encrypt(fixture.plaintext, key: short, iv: fixture.iv)
        )
        let checked = try open(bytes, [fixture.recipient], .diagnosed)
        #expect(checked.value?.plaintext.bytes == fixture.plaintext)
        #expect(checked.checks.compactMap { $0.code?.name } == ["CMS_CONTENT_KEY_SIZE"])
    }
}

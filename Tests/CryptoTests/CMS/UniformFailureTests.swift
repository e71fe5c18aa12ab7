import Testing
import Wire

@testable import Crypto

struct UniformFailureTests {
    /// Payloads whose declarations are right and that do not open, each for another reason.
    private func shut(_ fixture: PayloadFixture) throws -> [(String, [UInt8])] {
        let certificate = fixture.recipient.certificate
        let key = certificate.publicKey
        let content = try fixture.content()
        var bent = content
        bent[content.count - 17] ^= 0xFF
        let declared = OAEPParameters.sha256.algorithmIdentifier
        let build = { (encryptedKey: [UInt8], content: [UInt8]) in
            EnvelopedDataSealer.contentInfo(
                recipients: [
                    EnvelopedDataSealer.recipientInfo(certificate, algorithm: declared, encryptedKey: encryptedKey)
                ],
                cipher: fixture.cipher,
                content: content
            )
        }
        let good = try key.encryptOAEP(fixture.key, .sha256)
        let mixed = OAEPParameters(hash: .sha256, maskHash: .sha1)
        let signed = try AESCBC.encrypt(
            DER.sequence(DER.oid(.signedData), DER.context(0, DER.sequence(DER.integer(1)))),
            key: fixture.key,
            iv: fixture.iv
        )
        return [
            ("padding", build(good, bent)), ("signed", build(good, signed)),
            ("pair", build(try key.encryptOAEP(fixture.key, mixed), content)),
            ("PKCS#1", build(try key.encryptPKCS1(fixture.key), content)),
            ("length of the key", build(try key.encryptOAEP(SecretBytes([1, 2]), .sha256), content)),
            ("noise", build([UInt8](repeating: 1, count: 256), content)),
            (
                "another key",
                build(try key.encryptOAEP(SecretBytes([UInt8](repeating: 1, count: 32)), .sha256), content)
            ),
        ]
    }

    @Test func `every payload that does not open gives the same checks after the same work`() throws {
        let fixture = try PayloadFixture()
        let ours = [fixture.recipient, fixture.other]
        var seen: [[Check]] = []
        for (name, bytes) in try shut(fixture) {
            let (checked, work) = try WorkMeter.counting {
                try EnvelopedDataOpener.open(bytes, recipients: ours, detail: .uniform)
            }
            #expect(work == WorkMeter.Work(privateKey: 1, content: 1), "\(name)")
            #expect(checked.value == nil, "\(name)")
            #expect(checked.failures.map { $0.code?.name } == ["CMS_NOT_OPENED"], "\(name)")
            seen.append(checked.checks)
        }
        #expect(seen.allSatisfy { $0 == seen.first })
        let sealed = try EnvelopedDataSealer.seal(fixture.plaintext, to: fixture.recipient.certificate)
        let (open, work) = try WorkMeter.counting {
            try EnvelopedDataOpener.open(sealed, recipients: ours, detail: .uniform)
        }
        #expect(work == WorkMeter.Work(privateKey: 1, content: 1))
        #expect(open.value?.plaintext.bytes == fixture.plaintext)
    }

    @Test func `the diagnosis works more for what it tells, within its budget`() throws {
        let fixture = try PayloadFixture()
        let work = try shut(fixture).reduce(into: [String: WorkMeter.Work]()) { works, payload in
            works[payload.0] = try WorkMeter.counting { try fixture.open(payload.1) }.work
        }
        #expect(work["padding"] == WorkMeter.Work(privateKey: 1, content: 1))
        #expect(work["pair"] == WorkMeter.Work(privateKey: 2, content: 0))
        #expect(work.values.allSatisfy { $0.privateKey <= 1 + KeySearch.budget })
    }

    @Test func `what is refused by its declaration alone costs no work with a key`() throws {
        let ours = [try PayloadFile.recipient(2_048), try PayloadFile.recipient(4_096)]
        for name in ["forge.pkcs1", "pkijs.gcm-in-enveloped", "cbc-in-auth", "openssl.signed-outside"] {
            let bytes = try PayloadFile.payload(name)
            for detail in [EnvelopedDataOpener.Detail.diagnosed, .uniform] {
                let (checked, work) = try WorkMeter.counting {
                    try EnvelopedDataOpener.open(bytes, recipients: ours, detail: detail)
                }
                #expect(work == WorkMeter.Work(privateKey: 0, content: 0), "\(name)")
                #expect(checked.value == nil, "\(name)")
            }
        }
    }

    @Test func `content that opens with the key that stands in is not given out`() throws {
        let fixture = try PayloadFixture()
        let bytes = try #require(try shut(fixture).first { $0.0 == "pair" }).1
        // One random key in 256 leaves a padding that is right.
        for _ in 0..<1_000 {
            let checked = try EnvelopedDataOpener.open(bytes, recipients: [fixture.recipient], detail: .uniform)
            #expect(checked.value == nil)
        }
    }

    @Test func `a search costs no more private-key operations than its budget`() throws {
        let fixture = try PayloadFixture()
        let many = (0..<100).map { index in
            PayloadRecipient(
                keyId: "K\(index)",
                certificate: fixture.other.certificate,
                privateKey: fixture.other.privateKey
            )
        }
        let noise = [UInt8](repeating: 1, count: fixture.recipient.encryptedKeyLength)
        for (others, expected) in [([], 16), (many, KeySearch.budget), (Array(many.prefix(3)), KeySearch.budget)] {
            var search = KeySearch(
                encryptedKey: noise,
                named: fixture.recipient,
                recipients: [fixture.recipient] + others
            )
            #expect(try search.run() == nil)
            #expect(search.spent == expected)
        }
        // A key of another length is not tried at all.
        let long = try PayloadFile.recipient(4_096)
        var search = KeySearch(encryptedKey: noise, named: fixture.recipient, recipients: [long])
        #expect(try search.run() == nil)
        #expect(search.spent == 16)
    }

    @Test func `a hash with parameters of its own is not followed as OAEP`() throws {
        let fixture = try PayloadFixture()
        let hash = DER.sequence(DER.oid(.sha256), DER.null)
        let odd = DER.sequence(DER.oid(.sha256), DER.integer(1))
        for (first, second, code) in [
            (hash, hash, []), (odd, hash, ["CMS_OAEP_PARAMETERS"]), (hash, odd, ["CMS_OAEP_PARAMETERS"]),
        ] as [([UInt8], [UInt8], [String])] {
            let fields = DER.sequence(DER.context(0, first), DER.context(1, DER.sequence(DER.oid(.mgf1), second)))
            let info = EnvelopedDataSealer.recipientInfo(
                fixture.recipient.certificate,
                algorithm: DER.sequence(DER.oid(.rsaesOAEP), fields),
                encryptedKey: try fixture.recipient.certificate.publicKey.encryptOAEP(fixture.key, .sha256)
            )
            let bytes = EnvelopedDataSealer.contentInfo(
                recipients: [info],
                cipher: fixture.cipher,
                content: try fixture.content()
            )
            #expect(try fixture.codes(bytes) == code)
        }
    }
}

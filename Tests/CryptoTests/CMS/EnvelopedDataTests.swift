import Testing
import Wire

@testable import Crypto

/// The recipients that the tests' payloads are for, and the pieces of a payload that may be put together wrongly.
struct PayloadFixture {
    let recipient: PayloadRecipient
    let other: PayloadRecipient
    let plaintext = Array(CMSVector.plaintext.utf8)
    let key = SecretBytes([UInt8](repeating: 5, count: 32))
    let iv = [UInt8](repeating: 6, count: 16)

    init() throws {
        recipient = PayloadRecipient(
            keyId: "PAYLOAD-KEY-1",
            certificate: try Certificate(pem: KeyVectors.payloadCertificate),
            privateKey: try PrivateKey(pem: KeyVectors.rsa)
        )
        other = PayloadRecipient(
            keyId: "OTHER",
            certificate: try Certificate(pem: KeyVectors.otherCertificate),
            privateKey: try PrivateKey(pem: KeyVectors.otherRSA)
        )
    }

    var cipher: [UInt8] { DER.sequence(DER.oid(.aes256CBC), DER.octetString(iv)) }

    func content() throws -> [UInt8] { try AESCBC.encrypt(plaintext, key: key, iv: iv) }

    func info(_ parameters: OAEPParameters = .sha256, declared: OAEPParameters = .sha256) throws -> [UInt8] {
        EnvelopedDataSealer.recipientInfo(
            recipient.certificate,
            algorithm: declared.algorithmIdentifier,
            encryptedKey: try recipient.certificate.publicKey.encryptOAEP(key, parameters)
        )
    }

    func open(_ bytes: [UInt8]) throws -> Checked<OpenedPayload> {
        try EnvelopedDataOpener.open(bytes, recipients: [recipient, other])
    }

    /// The codes of the failed checks.
    func codes(_ bytes: [UInt8]) throws -> [String] { try open(bytes).failures.compactMap { $0.code?.name } }
}

struct EnvelopedDataTests {
    @Test(arguments: CMSVector.all)
    func `rows 49 and 94: a payload of OpenSSL opens or is refused by its own name`(_ vector: CMSVector) throws {
        let fixture = try PayloadFixture()
        let bytes = try Hex.decode(vector.hex)
        // The second recipient of some vectors is known to the fixture too; here only the first key is ours.
        let checked = try EnvelopedDataOpener.open(bytes, recipients: [fixture.recipient])
        #expect(checked.failures.first?.code?.name == vector.code, "\(checked.checks)")
        #expect(checked.isAccepted == (vector.code == nil))
        if vector.code == nil { #expect(checked.value?.plaintext.bytes == fixture.plaintext) }
    }

    @Test func `what was sealed opens, by either name of the recipient`() throws {
        let fixture = try PayloadFixture()
        for (recipient, count) in [(fixture.recipient, 0), (fixture.other, 1), (fixture.recipient, 100_000)] {
            let plaintext = [UInt8](repeating: 0x20, count: count)
            let sealed = try EnvelopedDataSealer.seal(plaintext, to: recipient.certificate)
            let checked = try fixture.open(sealed)
            #expect(checked.isAccepted)
            #expect(checked.value?.keyId == recipient.keyId)
            #expect(checked.value?.plaintext.bytes == plaintext)
        }
    }

    @Test(.enabled(if: OpenSSLCommand.isInstalled))
    func `OpenSSL opens what was sealed`() throws {
        let fixture = try PayloadFixture()
        let sealed = try EnvelopedDataSealer.seal(fixture.plaintext, to: fixture.recipient.certificate)
        let files = [
            "m.der": sealed, "k.pem": Array(KeyVectors.rsa.utf8), "c.pem": Array(KeyVectors.payloadCertificate.utf8),
        ]
        let command = "cms -decrypt -binary -inform DER -in m.der -recip c.pem -inkey k.pem"
        let (output, status) = OpenSSLCommand.run(command, files: files)
        #expect(status == 0)
        #expect(output == fixture.plaintext)
    }

    @Test func `content in pieces opens, also empty and nested ones`() throws {
        let fixture = try PayloadFixture()
        let content = try fixture.content()
        let pieces = content.flatMap { DER.octetString([$0]) + DER.octetString([]) }
        let nested = DER.element(0x24, pieces)
        let indefinite = [0x24, 0x80] + pieces + [0, 0] + DER.octetString([])
        for inner in [pieces, nested, indefinite] {
            for encrypted in [DER.context(0, inner), [0xA0, 0x80] + inner + [0, 0]] {
                let info = [0x30, 0x80] + DER.oid(.data) + fixture.cipher + encrypted + [0, 0]
                let data = [0x30, 0x80] + DER.integer(2) + DER.set(of: [try fixture.info()]) + info + [0, 0]
                let whole: [UInt8] = [0x30, 0x80] + DER.oid(.envelopedData) + [0xA0, 0x80] + data + [0, 0, 0, 0]
                let checked = try fixture.open(whole)
                #expect(checked.value?.plaintext.bytes == fixture.plaintext, "\(checked.failures)")
            }
        }
    }

    @Test func `each mistake in the parts has its own code`() throws {
        let fixture = try PayloadFixture()
        let (info, cipher, content) = (try fixture.info(), fixture.cipher, try fixture.content())
        let gcm = DER.sequence(
            DER.oid(.aes256GCM),
            DER.sequence(DER.octetString([UInt8](repeating: 0, count: 12)), DER.integer(16))
        )
        let build = { (info: [UInt8], cipher: [UInt8], content: [UInt8]?) in
            EnvelopedDataSealer.contentInfo(recipients: [info], cipher: cipher, content: content)
        }
        let certificate = fixture.recipient.certificate
        let key = certificate.publicKey
        let declared = OAEPParameters.sha256.algorithmIdentifier
        let short = try key.encryptOAEP(SecretBytes([1]), .sha256)
        let withKey = { EnvelopedDataSealer.recipientInfo(certificate, algorithm: $0, encryptedKey: $1) }
        let badParameters = DER.sequence(DER.oid(.rsaesOAEP), DER.octetString([1]))
        let good = build(info, cipher, content)
        let ivCipher = { DER.sequence(DER.oid(.aes256CBC), $0) }
        var bent = content
        bent[content.count - 17] ^= 0xFF
        let cases: [(String, [UInt8], [String])] = [
            ("good", good, []),
            ("GCM", build(info, gcm, content), ["CMS_GCM_IN_ENVELOPED_DATA"]),
            ("short IV", build(info, ivCipher(DER.octetString([1])), content), ["CMS_IV_LENGTH"]),
            ("no IV", build(info, ivCipher([]), content), ["CMS_IV_LENGTH"]),
            ("detached", build(info, cipher, nil), ["CMS_DETACHED"]),
            ("half a block", build(info, cipher, content + [0]), ["CMS_CONTENT_LENGTH"]),
            ("no content", build(info, cipher, []), ["CMS_CONTENT_LENGTH"]),
            ("bent padding", build(info, cipher, bent), ["CMS_CONTENT_NOT_OPENED"]),
            ("short content key", build(withKey(declared, short), cipher, content), ["CMS_CONTENT_KEY_LENGTH"]),
            ("short encrypted key", build(withKey(declared, [1]), cipher, content), ["CMS_ENCRYPTED_KEY_LENGTH"]),
            ("parameters", build(withKey(badParameters, short), cipher, content), ["CMS_OAEP_PARAMETERS"]),
            ("other algorithm", build(withKey(cipher, short), cipher, content), ["CMS_KEY_ALGORITHM"]),
            (
                "three at once", build(withKey(DER.sequence(DER.oid(.rsaEncryption)), short), gcm, content),
                ["CMS_RSA_PKCS1V15", "CMS_GCM_IN_ENVELOPED_DATA"]
            ),
            ("trailing", good + [0], ["CMS_TRAILING_BYTES"]),
            ("truncated", Array(good.dropLast(3)), ["CMS_TRUNCATED"]),
            ("empty", [], ["CMS_NOT_CMS"]),
            ("text", Array("hello".utf8), ["CMS_NOT_CMS"]),
            ("JSON", fixture.plaintext, ["CMS_NOT_CMS"]),
            ("certificate", certificate.der, ["CMS_NOT_CMS"]),
            ("too deep", [UInt8](repeating: 0x30, count: 1) + [0x80] + deep(40), ["CMS_TOO_DEEP"]),
            ("too large", [UInt8](repeating: 0, count: 1 << 20 + 1), ["CMS_TOO_LARGE"]),
        ]
        for (name, bytes, expected) in cases {
            let seen = try fixture.codes(bytes)
            #expect(seen == expected, "\(name)")
        }
    }

    /// Indefinite lengths inside each other.
    private func deep(_ levels: Int) -> [UInt8] {
        Array(repeating: [0x30, 0x80], count: levels).flatMap { $0 } + [UInt8](repeating: 0, count: levels * 2 + 2)
    }

    @Test func `row 93: the pair of hashes that was really used is named`() throws {
        let fixture = try PayloadFixture()
        let pairs: [(OAEPParameters, String)] = [
            (OAEPParameters(hash: .sha256, maskHash: .sha1), "SHA-256 with MGF1-SHA-1"),
            (OAEPParameters(hash: .sha1, maskHash: .sha1), "SHA-1 with MGF1-SHA-1"),
            (OAEPParameters(hash: .sha512, maskHash: .sha512), "SHA-512 with MGF1-SHA-512"),
        ]
        for (parameters, text) in pairs {
            let bytes = EnvelopedDataSealer.contentInfo(
                recipients: [try fixture.info(parameters)],
                cipher: fixture.cipher,
                content: try fixture.content()
            )
            let failure = try #require(try fixture.open(bytes).failures.first)
            #expect(failure.code == CMSFault.keyNotOpened.code)
            #expect(failure.evidence?.contains(text) == true)
        }
        let pkcs1 = try EnvelopedDataSealer.recipientInfo(
            fixture.recipient.certificate,
            algorithm: OAEPParameters.sha256.algorithmIdentifier,
            encryptedKey: fixture.recipient.certificate.publicKey.encryptPKCS1(fixture.key)
        )
        let swapped = try EnvelopedDataSealer.recipientInfo(
            fixture.recipient.certificate,
            algorithm: OAEPParameters.sha256.algorithmIdentifier,
            encryptedKey: fixture.other.certificate.publicKey.encryptOAEP(fixture.key, .sha256)
        )
        for (info, text) in [(pkcs1, "PKCS1"), (swapped, "the key OTHER")] {
            let bytes = EnvelopedDataSealer.contentInfo(recipients: [info], cipher: fixture.cipher, content: [0])
            let whole = EnvelopedDataSealer.contentInfo(
                recipients: [info],
                cipher: fixture.cipher,
                content: try fixture.content()
            )
            #expect(try fixture.open(whole).failures.first?.evidence?.contains(text) == true)
            #expect(try fixture.codes(bytes) == ["CMS_CONTENT_LENGTH"])
        }
    }

    @Test func `row 48: algorithm identifiers without NULL are read too`() throws {
        let fixture = try PayloadFixture()
        let bare = DER.sequence(DER.oid(.sha256))
        let parameters = DER.sequence(DER.context(0, bare), DER.context(1, DER.sequence(DER.oid(.mgf1), bare)))
        let info = EnvelopedDataSealer.recipientInfo(
            fixture.recipient.certificate,
            algorithm: DER.sequence(DER.oid(.rsaesOAEP), parameters),
            encryptedKey: try fixture.recipient.certificate.publicKey.encryptOAEP(fixture.key, .sha256)
        )
        let bytes = EnvelopedDataSealer.contentInfo(
            recipients: [info],
            cipher: fixture.cipher,
            content: try fixture.content()
        )
        #expect(try fixture.open(bytes).isAccepted)
    }

    @Test func `row 48: an RSA key whose algorithm has no NULL is read too`() throws {
        let key = try PayloadFixture().recipient.certificate.publicKey
        let null = DER.null
        // SubjectPublicKeyInfo: the NULL is the end of the first sequence.
        let position = try #require(key.der.indices.first { key.der[$0...].starts(with: null) })
        let bits = Array(key.der[(position + null.count)...])
        let bare = DER.sequence(DER.sequence(DER.oid(OID(1, 2, 840, 113549, 1, 1, 1))), bits)
        let read = try PublicKey(der: bare)
        #expect(read.kind == .rsa && read.bits == key.bits)
        let plaintext = try #require(try PayloadFixture().plaintext.first)
        #expect(try read.encryptPKCS1(SecretBytes([plaintext])).count == key.bits / 8)
    }

    @Test func `no recipient: the evidence lists who is there and who is accepted`() throws {
        let fixture = try PayloadFixture()
        let sealed = try EnvelopedDataSealer.seal([1], to: fixture.recipient.certificate)
        let checked = try EnvelopedDataOpener.open(sealed, recipients: [fixture.other])
        let failure = try #require(checked.failures.first)
        #expect(failure.code == CMSFault.noRecipient.code)
        #expect(failure.evidence == "payload: key id PAYLOAD-KEY-1; accepted: OTHER")
    }

    @Test func `no truncated or bent payload crashes, and none opens to another text`() throws {
        let fixture = try PayloadFixture()
        var generator = SplitMix(seed: 40)
        for vector in CMSVector.all.prefix(2) {
            let bytes = try Hex.decode(vector.hex)
            let data = try #require(EnvelopedDataReader.read(bytes).value)
            let iv = try #require(try data.cipher.parameters?.octets())
            // CBC has no integrity, so IV and content may be bent into another text; everything before must not.
            let end = try #require(bytes.firstRange(of: iv)).lowerBound
            for round in 0..<200 {
                var bent = bytes
                if round % 2 == 0 {
                    bent.removeLast(Int.random(in: 1...bytes.count, using: &generator))
                    #expect(try !fixture.open(bent).isAccepted)
                } else {
                    bent[Int.random(in: 0..<end, using: &generator)] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
                    let checked = try fixture.open(bent)
                    #expect(!checked.isAccepted || checked.value?.plaintext.bytes == fixture.plaintext)
                }
            }
        }
    }
}

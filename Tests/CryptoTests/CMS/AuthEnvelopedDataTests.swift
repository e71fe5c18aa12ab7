import Testing
import Wire

@testable import Crypto

/// AuthEnvelopedData put together from parts that need not fit.
private struct Parts {
    var fixture: PayloadFixture
    var infos: [[UInt8]]
    var nonce = [UInt8](repeating: 9, count: 12)
    var declared: [UInt8] = DER.integer(16)
    /// `[1]` and its content, or nothing.
    var attributes: [UInt8] = []
    /// What is authenticated.
    var authenticated: [UInt8] = []
    var tagLength = 16
    var isDetached = false

    init() throws {
        fixture = try PayloadFixture()
        infos = [try fixture.info()]
    }

    func build() throws -> [UInt8] {
        let iv = nonce.isEmpty || nonce.count > 128 ? [0] : nonce
        let sealed = try AESGCM.seal(fixture.plaintext, key: fixture.key, iv: iv, authenticating: authenticated)
        let cipher = DER.sequence(DER.oid(.aes256GCM), DER.sequence(DER.octetString(nonce), declared))
        let content = isDetached ? [] : DER.primitiveContext(0, Array(sealed.dropLast(16)))
        let data = DER.sequence(
            DER.integer(0),
            DER.set(of: infos),
            DER.sequence(DER.oid(.data), cipher, content),
            attributes,
            DER.octetString(Array(sealed.suffix(16).prefix(tagLength)))
        )
        return DER.sequence(DER.oid(.authEnvelopedData), DER.context(0, data))
    }

    func codes() throws -> [String] { try fixture.codes(try build()) }
}

private func attribute(_ value: [UInt8]) -> [UInt8] {
    DER.sequence(DER.oid(OID(1, 2, 3)), DER.element(0x31, DER.octetString(value)))
}

struct AuthEnvelopedDataTests {
    @Test(
        arguments: [
            (DER.integer(12), 12, nil), (DER.integer(16), 16, nil), ([], 12, nil), ([], 16, "CMS_TAG_LENGTH"),
            (DER.integer(16), 15, "CMS_TAG_LENGTH"), (DER.integer(16), 0, "CMS_TAG_LENGTH"),
            (DER.integer(12), 11, "CMS_TAG_LENGTH"), (DER.integer(11), 11, "CMS_GCM_PARAMETERS"),
            (DER.integer(4), 4, "CMS_GCM_PARAMETERS"), (DER.integer(17), 16, "CMS_GCM_PARAMETERS"),
            (DER.integer(1 << 40), 16, "CMS_GCM_PARAMETERS"), (DER.octetString([16]), 16, "CMS_GCM_PARAMETERS"),
        ] as [([UInt8], Int, String?)]
    )
    func `the tag has 12 to 16 bytes, as declared`(_ declared: [UInt8], _ length: Int, _ code: String?) throws {
        var parts = try Parts()
        parts.declared = declared
        parts.tagLength = length
        #expect(try parts.codes() == [code].compactMap { $0 })
    }

    @Test(arguments: [(0, false), (1, true), (12, true), (128, true), (129, false), (5_000, false)])
    func `the nonce has a length that can be followed`(_ count: Int, _ opens: Bool) throws {
        var parts = try Parts()
        parts.nonce = [UInt8](repeating: 1, count: count)
        #expect(try parts.codes() == (opens ? [] : ["CMS_GCM_PARAMETERS"]))
    }

    @Test func `attributes are authenticated, in the order of DER`() throws {
        var parts = try Parts()
        let (first, second) = (attribute([1]), attribute([2]))
        parts.attributes = DER.context(1, second + first)
        parts.authenticated = DER.set(of: [first, second])
        #expect(try parts.codes() == [])
        parts.authenticated = DER.element(0x31, second + first)
        let failure = try #require(try parts.fixture.open(try parts.build()).failures.first)
        #expect(failure.code == CMSFault.tagMismatch.code)
        #expect(failure.evidence?.contains("which is not DER") == true)
        // Attributes that were added, changed or taken away.
        parts.authenticated = DER.set(of: [first])
        #expect(try parts.codes() == ["CMS_TAG_MISMATCH"])
        parts.attributes = []
        #expect(try parts.codes() == ["CMS_TAG_MISMATCH"])
    }

    @Test func `numbers of recipients and attributes are bounded`() throws {
        for (count, code) in [(64, nil), (65, "CMS_TOO_MANY_RECIPIENTS")] as [(Int, String?)] {
            var parts = try Parts()
            let stranger = EnvelopedDataSealer.recipientInfo(
                parts.fixture.other.certificate,
                algorithm: OAEPParameters.sha256.algorithmIdentifier,
                encryptedKey: []
            )
            parts.infos += Array(repeating: stranger, count: count - 1)
            let ours = [parts.fixture.recipient]
            let checked = try EnvelopedDataOpener.open(try parts.build(), recipients: ours)
            #expect(checked.failures.first?.code?.name == code)
        }
        let cases: [(Int, Int, String?)] = [
            (32, 1, nil), (33, 1, "CMS_TOO_MANY_ATTRIBUTES"), (1, 60_000, nil), (2, 40_000, "CMS_TOO_MANY_ATTRIBUTES"),
            (0, 0, "CMS_STRUCTURE"),
        ]
        for (count, size, code) in cases {
            var parts = try Parts()
            let all = (0..<count).map { attribute([UInt8](repeating: UInt8($0), count: size)) }
            parts.attributes = DER.context(1, Array(all.joined()))
            parts.authenticated = DER.set(of: all)
            #expect(try parts.codes() == [code].compactMap { $0 }, "\(count) of \(size)")
        }
    }

    @Test func `what is not an attribute, content or tag is refused by name`() throws {
        var parts = try Parts()
        parts.attributes = DER.context(1, DER.octetString([1]))
        #expect(try parts.codes() == ["CMS_STRUCTURE"])
        parts = try Parts()
        parts.isDetached = true
        #expect(try parts.codes() == ["CMS_DETACHED"])
        parts = try Parts()
        let whole = try parts.build()
        #expect(try parts.fixture.codes(Array(whole.dropLast(18))) == ["CMS_TRUNCATED"])
        // The same payload without its last element, with lengths that are right.
        let data = try #require(EnvelopedDataReader.read(whole).value)
        let inner = DER.sequence(
            DER.integer(0),
            DER.set(of: parts.infos),
            DER.sequence(DER.oid(.data), data.cipher.encoded, DER.primitiveContext(0, data.encryptedContent ?? []))
        )
        let bare = DER.sequence(DER.oid(.authEnvelopedData), DER.context(0, inner))
        #expect(try parts.fixture.codes(bare) == ["CMS_STRUCTURE"])
    }

    @Test func `a length that lies is told with its place`() throws {
        let fixture = try PayloadFixture()
        let whole = try EnvelopedDataSealer.seal(fixture.plaintext, to: fixture.recipient.certificate)
        let data = try #require(EnvelopedDataReader.read(whole).value)
        let algorithm = try #require(data.recipients.first).algorithm.encoded
        let place = try #require(whole.firstRange(of: algorithm)).lowerBound
        var bent = whole
        bent[place + 1] = 0x7F
        bent[place + 3] = 0x7E
        let failure = try #require(try fixture.open(bent).failures.first)
        #expect(failure.code == CMSFault.length.code)
        #expect(failure.evidence == "lengthBeyondParent at byte \(place + 2)")
    }

    @Test func `DER of attributes: shortest lengths, one piece, sets in order`() throws {
        let cases = [
            ("308002010100 00", "3003020101"), ("31 80 0402 0002 0401 01 0000", "310704010104020002"),
            ("2480 0401 41 2403040142 0400 0000", "04024142"), ("0101 01", "0101ff"), ("0101 00", "010100"),
            ("bf8a3f8102 0500", "bf8a3f020500"), ("0481 01 41", "040141"), ("2c80 0401 41 0000", "0c0141"),
        ]
        for (sent, expected) in cases {
            var reader = try BERReader(try Hex.decode(sent.filter { $0 != " " }))
            #expect(Hex.encode(try reader.next().distinguished()) == expected, "\(sent)")
        }
    }

    @Test func `an issuer's name in BER names the same recipient`() throws {
        let fixture = try PayloadFixture()
        let certificate = fixture.other.certificate
        let name = certificate.issuer
        #expect(name[1] < 0x80)
        let loose = [0x30, 0x80] + name.dropFirst(2) + [0, 0]
        let other = [0x30, 0x80] + name.dropFirst(2).dropLast() + [0x7E, 0, 0]
        for (issuer, opens) in [(name, true), (loose, true), (other, false)] {
            let info = DER.sequence(
                DER.integer(0),
                DER.sequence(issuer, DER.integer(magnitude: certificate.serialNumber)),
                OAEPParameters.sha256.algorithmIdentifier,
                DER.octetString(try certificate.publicKey.encryptOAEP(fixture.key, .sha256))
            )
            let bytes = EnvelopedDataSealer.contentInfo(
                recipients: [info],
                cipher: fixture.cipher,
                content: try fixture.content()
            )
            #expect(try fixture.codes(bytes) == (opens ? [] : ["CMS_NO_RECIPIENT"]))
        }
    }

    @Test func `many empty pieces are read in one go`() throws {
        var parts = try Parts()
        parts.isDetached = true
        let pieces = [[UInt8]](repeating: DER.octetString([]), count: 100_000).flatMap { $0 }
        let info = try parts.fixture.info()
        let content = DER.sequence(DER.oid(.data), parts.fixture.cipher, DER.context(0, pieces))
        let data = DER.sequence(DER.integer(2), DER.set(of: [info]), content)
        let bytes = DER.sequence(DER.oid(.envelopedData), DER.context(0, data))
        #expect(try parts.fixture.codes(bytes) == ["CMS_CONTENT_LENGTH"])
    }
}

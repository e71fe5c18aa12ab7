import Core
import Crypto
import Testing
import Wire

struct PayloadOpenerTests {
    private let recipient: PayloadRecipient
    private let card = Array(
        #"{"issuerCardRefId":"card-1","fpan":"4111111111111111","exp":"1232","cardHolderName":"ANA PRUEBA"}"#.utf8
    )

    init() throws {
        recipient = PayloadRecipient(
            keyId: "TSH-PAYLOAD-2048",
            certificate: try Certificate(pem: Samples.key("tsh/payload-2048.cert")),
            privateKey: try PrivateKey(pem: Samples.key("tsh/payload-2048.key"))
        )
    }

    private func seal(_ text: [UInt8]) throws -> [UInt8] {
        try EnvelopedDataSealer.seal(text, to: recipient.certificate)
    }

    private func open(
        _ payload: [UInt8],
        _ strictness: Strictness,
        explains: Bool = false
    ) throws -> Checked<CardData> {
        let policy = PANPolicy(mode: .testOnly, numbers: ["4111111111111111"], ranges: [])
        return try PayloadOpener.open(
            Hex.encode(payload),
            recipients: [recipient],
            network: .visa,
            rules: CardNumberRules(policy: policy, strictness: strictness),
            explains: explains
        )
    }

    /// A payload with the byte bent that spoils the padding of its content.
    private func bent() throws -> [UInt8] {
        var payload = try seal(card)
        payload[payload.count - 17] ^= 0xFF
        return payload
    }

    @Test(arguments: Strictness.allCases)
    func `a good payload opens under all rules`(_ strictness: Strictness) throws {
        let checked = try open(try seal(card), strictness)
        #expect(checked.isAccepted, "\(checked.failures)")
        #expect(checked.checks.contains { $0.name == "encryptedPayload.content" && $0.passed })
    }

    /// 128 and 192 bits are what some producers use; the documented cipher has 256.
    @Test(arguments: ["bouncy-castle.cbc128", "bouncy-castle.cbc192", "gcm128", "gcm192"], Strictness.allCases)
    func `a short content key is refused under strict rules only`(_ file: String, _ strictness: Strictness) throws {
        let payload = try Hex.decode(Samples.cms(file))
        for explains in [false, true] {
            let checked = try open(payload, strictness, explains: explains)
            let codes = checked.checks.filter { $0.code != nil }
            #expect(codes.map { $0.code?.name } == ["CMS_CONTENT_KEY_SIZE"], "\(checked.checks)")
            #expect(codes.map(\.passed) == [strictness != .strict])
            #expect((checked.value != nil) == (strictness != .strict))
            // What is declared is judged before the key is used.
            let usesKey = checked.checks.contains { EnvelopedDataOpener.isAfterDecryption($0) }
            #expect(usesKey == (strictness != .strict))
        }
    }

    @Test func `strict rules tell nothing apart that only the key could tell`() throws {
        let bent = try open(try bent(), .strict)
        #expect(bent.failures.map { $0.code?.name } == ["CMS_NOT_OPENED"])
        // As long as the card, so that the public length is the same too.
        for noise in [
            [UInt8](repeating: 0xFF, count: card.count),
            Array("[\(String(repeating: " ", count: card.count - 2))]".utf8),
        ] {
            let opened = try open(try seal(noise), .strict)
            #expect(opened.value == nil)
            #expect(opened.checks == bent.checks)
        }
    }

    @Test(arguments: [Strictness.documented, .lenient])
    func `other rules tell the step that failed`(_ strictness: Strictness) throws {
        let noise = try open(try seal([0xFF]), strictness)
        #expect(noise.failures.map { $0.code?.name } == ["PAYLOAD_NOT_JSON"])
        #expect(try open(try bent(), strictness).failures.map { $0.code?.name } == ["CMS_CONTENT_NOT_OPENED"])
    }
}

import Core
import Crypto
import SandboxTesting
import Testing
import Wire

/// Scenes that many tests begin with.
extension TestSandbox {
    /// A phone with a watch paired to it.
    func phoneAndWatch() async throws -> (phone: String, watch: String) {
        let phone = try await device()
        return (phone, try await device("watch", pairedWith: phone))
    }

    /// The serial number of a pass in an answer of the wallet.
    func serial(_ made: TestReply) -> String { made["pass"]["serialNumber"]?.string ?? "" }

    /// A token that waits for activation.
    func yellow(_ deviceID: String, _ network: PaymentNetwork) async throws -> (tokenID: String, serial: String) {
        // Registered first, so that the issuer of a typed card is known.
        try await register(.of(network))
        let made = try await manualEntry(deviceID, .of(network), network)
        try #require(made.status == 201, "\(made.summary)")
        return (made.text("tokenId"), serial(made))
    }

    /// An active token.
    func green(_ deviceID: String, _ network: PaymentNetwork) async throws -> (tokenID: String, serial: String) {
        let made = try await provision(deviceID, .of(network), network)
        try #require(made.status == 201, "\(made.summary)")
        return (made.text("tokenId"), serial(made))
    }

    /// Registers the card through the control API; twice is harmless.
    func register(_ card: TestCard, issuerID: String = "DEMOBANK01") async throws {
        let body: JSON = [
            "issuerId": .string(issuerID), "issuerCardRefId": .string(card.reference), "pan": .string(card.pan),
            "exp": .string(card.exp), "cardHolderName": .string(card.name),
        ]
        let reply = try await control("POST", "/v1/cards", body)
        try #require(reply.status == 201 || reply.diagnosis == ["CARD_EXISTS"], "\(reply.summary)")
    }

    /// Merges members into the issuer's document, policies for example.
    func changeIssuer(_ issuerID: String = "DEMOBANK01", _ changes: [(String, JSON)]) async throws {
        var issuer = try await control("GET", "/v1/issuers/\(issuerID)").json.without("networkKeys")
        for (name, value) in changes { issuer = issuer.replacing(name, value) }
        let reply = try await control("PUT", "/v1/issuers/\(issuerID)", issuer)
        try #require(reply.status == 200, "\(reply.summary)")
    }

    func changePolicies(_ issuerID: String = "DEMOBANK01", _ policies: JSON) async throws {
        try await changeIssuer(issuerID, [("policies", policies)])
    }

    func strictness(_ word: String) async throws {
        let reply = try await control("PATCH", "/v1/tenants/default", ["strictness": .string(word)])
        try #require(reply.status == 200, "\(reply.summary)")
    }

    func tpc(_ operation: String, _ body: JSON, issuerID: String = "DEMOBANK01") async throws -> TestReply {
        try await api("POST", "/mg/tpc/\(issuerID)/\(operation)", body)
    }

    func tokenEvent(_ tokenID: String, _ event: String, by actor: String) async throws -> TestReply {
        try await control("POST", "/v1/tokens/\(tokenID)/events", ["event": .string(event), "by": .string(actor)])
    }

    /// State and suspenders of a token as one text.
    func state(_ tokenID: String) async throws -> String {
        let token = try await token(tokenID)
        let suspenders = token["suspenders"].array?.compactMap(\.string) ?? []
        return ([token.text("state")] + suspenders).joined(separator: " ")
    }

    /// The journal's entries, newest first.
    func journal() async throws -> [JSON] {
        try await control("GET", "/v1/journal?limit=100")["items"].array ?? []
    }

    /// Codes of the newest entry, warnings too.
    func journaled() async throws -> [String] {
        try await journal().first?["diagnosis"]?.array?.compactMap(\.string) ?? []
    }

    /// Checks of the newest entry that have the code, as `evidence | hint`.
    func told(_ code: String) async throws -> String {
        let checks = try await journal().first?["checks"]?.array ?? []
        return checks.filter { $0["code"]?.string == code }.map { check in
            "\(check["evidence"]?.string ?? "") | \(check["hint"]?.string ?? "")"
        }.joined(separator: "; ")
    }
}

/// The whole way of one provisioning, stopped where a test wants to bend it.
struct Provisioning {
    let sandbox: TestSandbox
    let session: TestReply
    let card: TestCard
    let network: PaymentNetwork

    static func begin(
        _ sandbox: TestSandbox,
        _ network: PaymentNetwork = .visa,
        card: TestCard? = nil,
        on deviceID: String? = nil
    ) async throws -> Provisioning {
        let card = card ?? .of(network)
        let device: String
        if let deviceID { device = deviceID } else { device = try await sandbox.device() }
        let session = try await sandbox.session(device, card, network)
        try #require(session.status == 201, "\(session.summary)")
        return Provisioning(sandbox: sandbox, session: session, card: card, network: network)
    }

    var passPath: String { "/wallet/apple/provisioning-sessions/\(session.text("sessionId"))/pass" }
    var nonce: [UInt8] { (try? Base64.decode(session.text("nonce"))) ?? [] }
    var nonceSignature: [UInt8] { (try? Base64.decode(session.text("nonceSignature"))) ?? [] }

    /// What the issuer's TPC gives for the session.
    func triple(issuerID: String = "DEMOBANK01") async throws -> JSON {
        let issuer = TestIssuer(sandbox, issuerID)
        let request = try sandbox.passRequest(session, card, network, issuer: issuer)
        let reply = try await sandbox.tpc("generateAddPaymentPassRequest", request, issuerID: issuerID)
        try #require(reply.status == 200, "\(reply.summary)")
        return reply.json
    }

    func post(_ body: JSON) async throws -> TestReply { try await sandbox.api("POST", passPath, body) }

    /// The text that a direct-PassKit issuer encrypts.
    var passDataText: JSON {
        [
            "primaryAccountNumber": .string(card.pan),
            "expiration": .string("\(card.exp.prefix(2))/\(card.exp.suffix(2))"), "name": .string(card.name),
            "nonce": .string(Hex.encode(nonce)), "nonceSignature": .string(Hex.encode(nonceSignature)),
        ]
    }

    /// Encrypts any text to the session's leaf, in any construction.
    func seal(_ text: String, _ construction: PassDataConstruction = .canonical) throws -> SealedPassData {
        let leaf = try Certificate(der: try Base64.decode(session["certificates"].array?.first?.string ?? ""))
        return try PassDataCipher(construction: construction).seal(Array(text.utf8), to: leaf.publicKey)
    }

    /// Activation data and pass data as the wallet takes them.
    static func body(_ activationData: JSON, _ sealed: SealedPassData) -> JSON {
        [
            "activationData": activationData, "encryptedPassData": .base64(sealed.encryptedPassData),
            "ephemeralPublicKey": .base64(sealed.ephemeralPublicKey),
        ]
    }
}

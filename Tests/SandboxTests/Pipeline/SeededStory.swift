import Core
import SandboxTesting
import Testing
import Wire

/// A story with all that a test can do to the faces: four networks, D1, magic years, faults, and a clock that moves.
struct SeededStory {
    private let sandbox: TestSandbox

    init(_ sandbox: TestSandbox) { self.sandbox = sandbox }

    func tell() async throws {
        let frozen: JSON = ["mode": "frozen", "now": "2030-01-01T00:00:00Z"]
        try #require(try await sandbox.control("PUT", "/v1/clock", frozen).status == 200)
        let phone = try await sandbox.device()
        let watch = try await sandbox.device("watch", pairedWith: phone)
        for network in PaymentNetwork.allCases { try await life(phone, watch, network) }
        try await extensionFlow()
        try await issuerAPI()
        try await magicYears()
        try await faults(phone)
    }

    private func control(_ path: String, _ body: JSON) async throws {
        let reply = try await sandbox.control("POST", path, body)
        try #require(reply.status < 300, "\(path) \(reply.text)")
    }

    /// Push provisioning, a typed card with its code, and every change of state by every party.
    private func life(_ phone: String, _ watch: String, _ network: PaymentNetwork) async throws {
        let card = TestCard.of(network)
        let token = try await sandbox.provision(phone, card, network).text("tokenId")
        try #require(!token.isEmpty)
        let entry = try await sandbox.manualEntry(watch, card, network)
        let path = "/wallet/apple/devices/\(watch)/passes/\(entry["pass"]["serialNumber"]?.string ?? "")"
        _ = try await sandbox.api("POST", path + "/activation-code", ["method": "SMS"])
        let inbox = try await sandbox.control("GET", "/v1/activation-codes?tokenId=\(entry.text("tokenId"))")
        let code = inbox["items"].array?.first?["code"] ?? .null
        _ = try await sandbox.api("POST", path + "/activate", ["activationCode": "000000"])
        let activated = try await sandbox.api("POST", path + "/activate", ["activationCode": code])
        try #require(activated.status == 200, "\(activated.text)")
        _ = try await sandbox.api("POST", path + "/suspend")
        _ = try await sandbox.api("POST", path + "/resume")
        _ = try await sandbox.api("GET", path + "/verification-url")
        for action in ["Suspend", "Resume", "Resume", "Delete"] {
            _ = try await sandbox.updateTokenState(token, network, action)
        }
        let payload: JSON = [
            "scheme": .string(network.scheme), "encryptedPayload": .string(try TestIssuer(sandbox).payload(card)),
        ]
        _ = try await sandbox.api("POST", "/mg/tpc/DEMOBANK01/getTokens", payload)
        _ = try await sandbox.api(
            "POST",
            "/mg/tpc/DEMOBANK01/activatePass",
            payload.adding("authorizationCode", .string(try TestIssuer(sandbox).code(sub: card.reference)))
        )
        _ = try await sandbox.passes(phone)
        try await control("/v1/tokens/\(entry.text("tokenId"))/events", ["event": "suspend", "by": "issuer"])
        try await control("/v1/cards/\(card.reference)/events", ["event": "block"])
        _ = try await sandbox.passes(watch)
        _ = try await sandbox.api("DELETE", path)
        try await control("/v1/cards/\(card.reference)/events", ["event": "unblock"])
    }

    /// D1: configured, logged in, and a card of each network through the Wallet extension.
    private func extensionFlow() async throws {
        let cards = [
            ("card-visa", "2718"), ("card-mastercard", "3146"), ("card-amex", "1729"), ("card-discover", "8353"),
        ]
        let phone = try await sandbox.device()
        _ = try await sandbox.configure(phone, cards.map { (id: $0.0, last4: $0.1) })
        let hash = try await sandbox.bindingHash(phone).text("bindingHash")
        let token = try TestIssuer(sandbox).token(cbp: hash, changes: [("jti", "story-1")])
        let session = try await sandbox.login(phone, [token]).text("sessionToken")
        let entries = try await sandbox.d1("GET", "pass-entries", session)["items"].array ?? []
        try #require(entries.count == 4)
        for entry in entries { try await add(entry, phone, session) }
        _ = try await sandbox.d1("GET", "remote-pass-entries", session)
        for (card, _) in cards {
            let digital = try await sandbox.d1("GET", "cards/\(card)/digital-cards", session)
            let id = digital["items"].array?.first?["digitalCardId"]?.string ?? ""
            for operation in ["suspend", "suspend", "resume", "delete"] {
                _ = try await sandbox.d1("POST", "digital-cards/\(id)/\(operation)", session)
            }
            _ = try await sandbox.d1("GET", "cards/\(card)/digitization-state", session)
        }
        _ = try await sandbox.d1("POST", "logout", session)
    }

    private func add(_ entry: JSON, _ phone: String, _ session: String) async throws {
        var wanted: JSON = ["application": .string(TestSandbox.walletExtension)]
        for name in ["paymentNetwork", "cardholderName", "primaryAccountSuffix"] {
            wanted = wanted.adding(name, entry[name] ?? .null)
        }
        let sheet = try await sandbox.api("POST", "/wallet/apple/devices/\(phone)/provisioning-sessions", wanted)
        let card = try JSON.parse(Array((entry["identifier"]?.string ?? "{}").utf8))["cardID"]?.string ?? ""
        let triple = try await sandbox.d1(
            "POST",
            "pass-entries/\(card)/add-payment-pass-request",
            session,
            [
                "certificateChain": sheet["certificates"], "nonce": sheet["nonce"],
                "nonceSignature": sheet["nonceSignature"],
            ]
        )
        let made = try await sandbox.api(
            "POST",
            "/wallet/apple/provisioning-sessions/\(sheet.text("sessionId"))/pass",
            triple.json
        )
        try #require(made.status == 201, "\(made.text)")
    }

    /// D1's issuer API: a token, a consumer, a card, operations on it.
    private func issuerAPI() async throws {
        let bearer = try await sandbox.bearer()
        let issuer = "v2/issuers/DEMOBANK01"
        let consumer: JSON = ["language": "es-MX", "firstName": "Nina", "lastName": "Prueba"]
        _ = try await sandbox.banking("PUT", issuer + "/consumers/consumer-new", bearer, consumer)
        let card: JSON = [
            "consumerId": "consumer-new", "cardProductId": "gold",
            "encryptedData": .string(try TestIssuer(sandbox).encryptedData("4761731000000043")),
        ]
        let made = try await sandbox.banking("PUT", issuer + "/cards/card-new", bearer, card)
        try #require(made.status == 204, "\(made.text)")
        _ = try await sandbox.banking("GET", "v1/issuers/DEMOBANK01/cards/card-new", bearer)
        _ = try await sandbox.banking("POST", issuer + "/cards/card-new/operations/suspend", bearer, [:])
    }

    /// Each magic year, typed in on a phone of its own, with its scheduled steps.
    private func magicYears() async throws {
        for year in 2041...2049 {
            let card = TestCard("magic-\(year)", pan: TestCard.visa.pan, exp: "12\(year % 100)")
            let phone = try await sandbox.device()
            do {
                _ = try await sandbox.manualEntry(phone, card, .visa)
            } catch is TestDeliveryFault {
                // 2048 loses its answer.
            }
            for _ in 0..<3 {
                try await control("/v1/clock/advance", ["seconds": 3])
                _ = try await sandbox.passes(phone)
            }
        }
    }

    /// Rules that fire by chance, and each way to break an answer.
    private func faults(_ phone: String) async throws {
        let devices: JSON = ["operation": "wallet.listDevices"]
        try await control(
            "/v1/faults",
            ["match": devices, "effect": ["respond": ["status": 503]], "trigger": ["probability": .number("0.5")]]
        )
        for _ in 0..<24 { _ = try await sandbox.api("GET", "/wallet/apple/devices") }
        for fault in [
            "networkError=PAN_INELIGIBLE", "decision=yellow", "status=503", "connection=truncate", "nonsense",
        ] {
            do {
                _ = try await sandbox.api(
                    "GET",
                    "/wallet/apple/devices/\(phone)",
                    headers: [("x-sandbox-fault", fault)]
                )
            } catch is TestDeliveryFault {
                // What is broken on purpose.
            }
        }
        for effect: JSON in [
            ["corrupt": "ciphertext"], ["corrupt": "json"], ["connection": "truncate"],
            ["commitThen": ["connection": "close"]],
            ["delay": ["uniformMs": [1, 1_000]]],
        ] {
            try await control("/v1/faults", ["id": "one", "match": ["face": "tpc"], "effect": effect])
            let session = try await sandbox.session(phone, .amex, .amex)
            let request = try sandbox.passRequest(session, .amex, .amex)
            do {
                _ = try await sandbox.api("POST", "/mg/tpc/DEMOBANK01/generateAddPaymentPassRequest", request)
            } catch is TestDeliveryFault {
                // As above.
            }
            try #require(try await sandbox.control("DELETE", "/v1/faults/one").status == 204)
        }
    }
}

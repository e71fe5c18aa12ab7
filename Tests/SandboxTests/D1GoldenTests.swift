import Core
import SandboxTesting
import Testing
import Web
import Wire

/// Golden pairs of D1 in `fixtures/d1` and `fixtures/d1issuer`: one story under seed 1 and the fixed clock.
struct D1GoldenTests {
    /// Members that are new each time: OpenSSL makes their keys and IVs, or the test its ids.
    private static let fresh: Set<String> = [
        "issuerTokens", "certificateChain", "encryptedPassData", "ephemeralPublicKey", "nonce", "nonceSignature",
        "activationData", "encryptedData",
    ]

    private func step(
        _ sandbox: TestSandbox,
        _ name: String,
        _ method: String,
        _ path: String,
        _ body: JSON = .null,
        bearer: String? = nil
    ) async throws -> TestReply {
        let headers = bearer.map { [("Authorization", "Bearer \($0)")] } ?? []
        let reply = try await sandbox.send(.api, method, path, body.isNull ? nil : body.bytes, headers)
        var request: JSON = ["method": .string(method), "path": .string(path)]
        if !body.isNull { request = request.adding("body", Self.scrubbed(body)) }
        var response: JSON = ["status": .number(reply.status)]
        if !reply.diagnosis.isEmpty { response = response.adding("diagnosis", .strings(reply.diagnosis)) }
        if !reply.text.isEmpty { response = response.adding("body", Self.scrubbed(reply.json)) }
        let folder = path.hasPrefix("/d1") ? "d1" : "d1issuer"
        try Golden.check("fixtures/\(folder)/\(name).request.json", Self.pretty(request) + "\n")
        try Golden.check("fixtures/\(folder)/\(name).response.json", Self.pretty(response) + "\n")
        return reply
    }

    private static func scrubbed(_ json: JSON) -> JSON {
        switch json {
        case .object(let object):
            .object(
                JSONObject(object.members.map { ($0.key, fresh.contains($0.key) ? "<fresh>" : scrubbed($0.value)) })
            )
        case .array(let items): .array(items.map(scrubbed))
        default: json
        }
    }

    private static func pretty(_ json: JSON, indent: String = "") -> String {
        let inner = indent + "  "
        switch json {
        case .object(let object) where !object.members.isEmpty:
            let lines = object.members.map { inner + JSON.string($0.key).text + ": " + pretty($0.value, indent: inner) }
            return "{\n" + lines.joined(separator: ",\n") + "\n" + indent + "}"
        case .array(let items) where !items.isEmpty:
            let lines = items.map { inner + pretty($0, indent: inner) }
            return "[\n" + lines.joined(separator: ",\n") + "\n" + indent + "]"
        default: return json.text
        }
    }

    @Test func `the story of the Wallet extension is told as it is written down`() async throws {
        try await withSandbox { sandbox in
            let (client, banking) = ("/d1/client/v1/", "/banking/v2/issuers/DEMOBANK01/")
            let phone = try await sandbox.device()
            let status = client + "extension-status?deviceId=\(phone)&application=\(TestSandbox.walletExtension)"
            _ = try await step(sandbox, "extensionStatus.never-configured", "GET", status)
            let configuration: JSON = [
                "deviceId": .string(phone), "application": .string(TestSandbox.application),
                "appGroupID": .string(TestSandbox.appGroup), "issuerId": "DEMOBANK01", "consumerId": "consumer-ana",
                "cardParamsList": TestSandbox.cardParams([("card-visa", "2718")]),
            ]
            let elsewhere = configuration.adding("appGroupID", "group.other")
            _ = try await step(sandbox, "configure.app-group", "POST", client + "configure", elsewhere)
            _ = try await step(sandbox, "configure.one-issuer", "POST", client + "configure", configuration)
            _ = try await step(sandbox, "extensionStatus.before-login", "GET", status)
            let place: JSON = [
                "deviceId": .string(phone), "application": .string(TestSandbox.walletExtensionUI),
                "context": "extension",
            ]
            let bound = try await step(sandbox, "bindingHash.extension", "POST", client + "binding-hash", place)
            let issuer = TestIssuer(sandbox)
            let unbound = place.adding("issuerTokens", [.string(try issuer.token())])
            _ = try await step(sandbox, "login.no-cbp", "POST", client + "login", unbound)
            let token = try issuer.token(cbp: bound["bindingHash"].string)
            let login = place.adding("issuerTokens", [.string(token)])
            let opened = try await step(sandbox, "login.one-issuer", "POST", client + "login", login)
            let session = opened["sessionToken"].string
            _ = try await step(sandbox, "passEntries.no-session", "GET", client + "pass-entries")
            _ = try await step(sandbox, "passEntries.one-card", "GET", client + "pass-entries", bearer: session)
            let state = client + "cards/card-visa/digitization-state"
            _ = try await step(sandbox, "cardDigitizationState.not-digitized", "GET", state, bearer: session)
            let activate = client + "cards/card-visa/activate"
            _ = try await step(sandbox, "activateCard.nothing-pending", "POST", activate, bearer: session)

            let bearer = try await sandbox.bearer()
            let card = banking + "cards/card-visa"
            _ = try await step(sandbox, "getCard.no-bearer", "GET", card)
            _ = try await step(sandbox, "getCard.active", "GET", card, bearer: bearer)
            let lost: JSON = ["reason": "CARD_LOST"]
            _ = try await step(sandbox, "suspendCard.lost", "POST", card + "/operations/suspend", lost, bearer: bearer)
            let user: JSON = ["reason": "USER_DECISION"]
            _ = try await step(sandbox, "resumeCard.reason", "POST", card + "/operations/resume", user, bearer: bearer)
            _ = try await step(sandbox, "getCard.unknown", "GET", banking + "cards/nothing", bearer: bearer)
        }
    }
}

import Core
import Sandbox
import SandboxTesting
import Synchronization
import Testing
import Web
import Wire

/// Field case 65: card numbers, security codes and one-time codes stay where they belong.
struct LeakTests {
    private static let numbers = PaymentNetwork.allCases.map { TestCard.of($0).pan }

    /// Keeps what the server logs.
    private final class Lines: Sendable {
        private let text = Mutex("")

        var all: String { text.withLock { $0 } }
        func append(_ line: [UInt8]) { text.withLock { $0 += String(decoding: line, as: UTF8.self) } }
    }

    /// A request with a number where it should not be.
    private struct Careless {
        let port: TestPort
        let method: String
        let path: String
        var body: String?
        var headers: [(String, String)] = []
    }

    private static func careless(_ pan: String, _ phone: String) -> [Careless] {
        let spaced = pan.enumerated().map { $0 > 0 && $0 % 4 == 0 ? " \($1)" : "\($1)" }.joined()
        let card = "{\"fpan\":\"\(pan)\",\"cvv\":\"911\"}"
        let nested = JSON.string(card).text
        let encoded = Base64.encode(Array(card.utf8))
        let tpc = "/mg/tpc/DEMOBANK01/"
        func api(
            _ method: String,
            _ path: String,
            _ body: String? = nil,
            _ headers: [(String, String)] = []
        ) -> Careless {
            Careless(port: .api, method: method, path: path, body: body, headers: headers)
        }
        func control(_ method: String, _ path: String, _ body: String? = nil) -> Careless {
            Careless(port: .control, method: method, path: path, body: body)
        }
        return [
            api("POST", tpc + "getTokens", "{\"scheme\":\"\(pan)\",\"encryptedPayload\":\"\(spaced)\"}"),
            api("POST", tpc + "getTokens", "{\"scheme\":\(nested),\"encryptedPayload\":\(nested)}"),
            api("POST", tpc + "getTokens", "{\"scheme\":\"VISA\",\"encryptedPayload\":\"\(encoded)\",\"\(pan)\":1}"),
            api("POST", tpc + "getTokens", "{\"\(pan)\":1,\"\(pan)\":2}"), api("POST", tpc + "getTokens", pan),
            api("POST", "/mg/tpc/\(pan)/getTokens", "{}"), api("GET", "/mg/tpc/\(pan)"),
            api(
                "POST",
                tpc + "updateTokenState",
                "{\"tokenId\":\"\(pan)\",\"tokenRequestorId\":\"\(pan)\",\"action\":\"\(pan)\"}"
            ),
            api(
                "POST",
                tpc + "isCardDigitized",
                "{\"deviceId\":\"\(pan)\",\"application\":\"\(pan)\",\"primaryAccountIdentifier\":\"\(pan)\"}"
            ),
            api("GET", "/wallet/apple/devices/\(pan)/passes?last4=\(pan)&application=\(pan)"),
            api("GET", "/wallet/apple/devices/\(phone)/passes?last4=\(pan)"),
            api("GET", "/wallet/apple/devices/\(phone)/passes?serialNumber=\(spaced.replacing(" ", with: "+"))"),
            api("GET", "/nowhere/\(pan)?pan=%34\(pan.dropFirst())"), api("GET", "/t/\(pan)/wallet/apple/devices"),
            api("POST", "/wallet/apple/provisioning-sessions/\(pan)/pass", "{\"activationData\":\"\(encoded)\"}"),
            api(
                "POST",
                "/wallet/apple/devices/\(phone)/manual-entries",
                "{\"pan\":\"\(spaced)\",\"cvv\":\"911\",\"paymentNetwork\":\"\(pan)\"}"
            ),
            api("GET", "/wallet/apple/devices", nil, [("x-request-id", "id-\(pan)"), ("user-agent", "app \(pan)")]),
            api("GET", "/wallet/apple/devices", nil, [("x-sandbox-tenant", pan)]),
            control("GET", "/v1/tokens/\(pan)"), control("GET", "/v1/cards/\(pan)"),
            control("GET", "/v1/issuers/\(pan)"),
            control("GET", "/v1/applications/\(pan)"), control("GET", "/v1/journal/\(pan)"),
            control("GET", "/v1/journal?limit=\(pan)"),
            control("PUT", "/v1/applications/\(pan)", "{}"), control("GET", "/v1/tenants/\(pan)"),
            control(
                "POST",
                "/v1/cards",
                "{\"issuerId\":\"\(pan)\",\"issuerCardRefId\":\"x\",\"pan\":\"\(pan)\",\"exp\":\"1232\"}"
            ),
            control(
                "POST",
                "/v1/cards",
                "{\"issuerId\":\"DEMOBANK01\",\"issuerCardRefId\":\"\(pan)\",\"pan\":\"\(pan)\",\"exp\":\"1232\"}"
            ),
            control("POST", "/v1/cards", "{\"\(pan)\":1,\"\(pan)\":2}"),
        ]
    }

    @Test func `row 65: no number in journal, log or answers; no security or one-time code in the journal`()
        async throws
    {
        let lines = Lines()
        let log = Log(level: .debug, now: { Instant(seconds: 0) }, write: { lines.append($0) })
        try await withSandbox(configure: { _ in }, log: log) { sandbox in
            var answers: [String] = []
            let phone = try await sandbox.device()
            let watch = try await sandbox.device("watch", pairedWith: phone)
            var codes: [String] = []
            for network in PaymentNetwork.allCases {
                answers += try await walk(sandbox, network, phone, watch, &codes)
                for request in Self.careless(TestCard.of(network).pan, phone) {
                    let reply = try await sandbox.send(
                        request.port,
                        request.method,
                        request.path,
                        request.body.map { Array($0.utf8) },
                        request.headers
                    )
                    #expect(reply.status < 500, "\(request.method) \(request.path)")
                    answers.append(reply.text + "\(reply.response.headers)")
                }
            }
            for path in ["cards", "tokens", "issuers", "tenants"] {
                answers.append(try await sandbox.control("GET", "/v1/\(path)").text)
            }
            let journal = try await sandbox.control("GET", "/v1/journal?limit=1000")
            let leaks = Leaks(numbers: Self.numbers)
            #expect(journal["items"].array?.count ?? 0 > 100)
            #expect(leaks.found(in: journal.text) == [])
            #expect(leaks.found(in: lines.all) == [])
            #expect(!lines.all.isEmpty)
            for answer in answers { #expect(leaks.found(in: answer) == [], "\(answer.prefix(200))") }

            let items = journal["items"].array ?? []
            func bodies(_ operation: String) -> String {
                items.filter { $0["operation"]?.string == operation }
                    .compactMap { $0["request"]?["body"]?.string }.joined(separator: "\n")
            }
            #expect(!bodies("wallet.manualEntry").contains("911"))
            #expect(bodies("wallet.manualEntry").contains("\"cvv\""))
            let typed = bodies("wallet.activatePass")
            #expect(codes.count == 4 && codes.allSatisfy { !$0.isEmpty && !typed.contains($0) })
            #expect(typed.contains("activationCode"))
        }
    }

    /// One card's whole life; gives all answers.
    private func walk(
        _ sandbox: TestSandbox,
        _ network: PaymentNetwork,
        _ phone: String,
        _ watch: String,
        _ codes: inout [String]
    ) async throws -> [String] {
        let card = TestCard.of(network)
        let made = try await sandbox.provision(phone, card, network)
        let entry = try await sandbox.manualEntry(watch, card, network)
        let serial = entry["pass"]["serialNumber"]?.string ?? ""
        let path = "/wallet/apple/devices/\(watch)/passes/\(serial)"
        let token = entry.text("tokenId")
        let sent = try await sandbox.api("POST", path + "/activation-code", ["method": "SMS"])
        let inbox = try await sandbox.control("GET", "/v1/activation-codes?tokenId=\(token)")
        let code = inbox["items"].array?.first?["code"]?.string ?? ""
        codes.append(code)
        let issuer = TestIssuer(sandbox)
        let payload: JSON = ["scheme": .string(network.scheme), "encryptedPayload": .string(try issuer.payload(card))]
        let replies = [
            made, entry, sent, try await sandbox.api("POST", path + "/activate", ["activationCode": .string(code)]),
            try await sandbox.api("POST", path + "/suspend"), try await sandbox.api("POST", path + "/resume"),
            try await sandbox.api("POST", "/mg/tpc/DEMOBANK01/getTokens", payload),
            try await sandbox.updateTokenState(token, network, "Suspend"), try await sandbox.passes(phone),
            try await sandbox.api("DELETE", path), try await sandbox.token(token),
            try await sandbox.control("GET", "/v1/cards/\(card.reference)"),
            try await sandbox.control("POST", "/v1/cards/\(card.reference)/events", ["event": "block"]),
        ]
        return replies.map(\.text)
    }
}

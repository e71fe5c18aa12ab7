import Core
import Sandbox
import SandboxTesting
import Testing
import Wire

/// `POST /v1/import` of documents that no sandbox would have exported.
struct WorldRuleTests {
    /// One member of the first record of a kind with a value that its kind cannot have.
    struct Wrong: CustomTestStringConvertible, Sendable {
        let kind: String
        let member: String
        let value: JSON
        let code: String

        init(_ kind: String, _ member: String, _ value: JSON, _ code: String = "WORLD_RECORD_INVALID") {
            self.kind = kind
            self.member = member
            self.value = value
            self.code = code
        }

        var testDescription: String { "\(kind).\(member) = \(value.text.prefix(40))" }
    }

    private static let thousands = JSON.array(Array(repeating: "suspend", count: 5_000))

    static let wrongs = [
        // Counters and times that the sandbox could not go on from.
        Wrong("tenant", "draws", 9_007_199_254_740_992), Wrong("tenant", "draws", -1),
        Wrong("tenant", "sequence", 9_007_199_254_740_992), Wrong("tenant", "cleanedHour", -1),
        Wrong("tenant", "cleanedHour", 9_007_199_254_740_992), Wrong("tenant", "cleanedHour", "1"),
        Wrong("tenant", "faultNumber", 9_007_199_254_740_992), Wrong("tenant", "faultNumber", -1),
        Wrong("tenant", "clockOffset", 9_007_199_254_740_992), Wrong("tenant", "clockOffset", -9_007_199_254_740_992),
        Wrong("tenant", "clockFrozen", -1), Wrong("tenant", "clockFrozen", 253_402_300_800_000),
        Wrong("tenant", "clockFrozen", [:]), Wrong("callbackCounter", "count", -1),
        Wrong("callbackCounter", "count", 9_007_199_254_740_992), Wrong("due", "at", -1),
        Wrong("due", "at", 9_007_199_254_740_992), Wrong("d1Configuration", "order", 9_007_199_254_740_992),
        // Work without end.
        Wrong("due", "events", thousands),
        // Members of another type.
        Wrong("tenant", "magicData", [:]), Wrong("tenant", "diagnosisHeader", "yes"),
        Wrong("tenant", "nextDueAt", [:]), Wrong("issuer", "keys", ["weird": [1]]),
        Wrong("issuer", "keys", [["use": "issuerToken", "pem": "x", "leewaySeconds": 86_401]]),
        Wrong("issuer", "keys", [["use": "issuerToken", "pem": "x", "leewaySeconds": -1]]),
        Wrong("issuer", "accountRanges", ["low": "41"]), Wrong("issuer", "extras", []),
        Wrong("application", "entitled", "x"), Wrong("application", "appGroupIDs", ["a", 1]),
        Wrong("application", "urlScheme", 1), Wrong("passMetadata", "associatedApplicationIdentifiers", [:]),
        Wrong("passMetadata", "bank_app", []), Wrong("card", "consumerId", [:]), Wrong("card", "phone", 1),
        Wrong("device", "pairedWith", [:]), Wrong("device", "lost", "no"), Wrong("session", "tokenId", [:]),
        Wrong("token", "suspenders", ["nobody"]), Wrong("token", "changes", -1),
        Wrong("token", "activeSince", [:]), Wrong("token", "deviceId", 1), Wrong("tokenChange", "reason", 1),
        Wrong("tokenChange", "from", "gone"), Wrong("pass", "serialNumber", 1),
        Wrong("consumer", "details", []), Wrong("d1Card", "suspendedFor", "RAIN"), Wrong("d1Binding", "spent", 0),
        Wrong("d1Session", "members", [:]), Wrong("callback", "tokenId", false),
        // Names of records that there are not.
        Wrong("token", "issuerId", "OTHERBANK1", "WORLD_REFERENCE_UNKNOWN"),
        Wrong("token", "cardReference", "none", "WORLD_REFERENCE_UNKNOWN"),
        Wrong("token", "deviceId", "dev-none", "WORLD_REFERENCE_UNKNOWN"),
        Wrong("session", "tokenId", "none", "WORLD_REFERENCE_UNKNOWN"),
        // A history with a gap, and more of it than the token knows.
        Wrong("token", "changes", 9, "WORLD_REFERENCE_UNKNOWN"),
        Wrong("token", "changes", 0, "WORLD_REFERENCE_UNKNOWN"),
    ]

    @Test(arguments: wrongs)
    func `a document that is not a valid world is refused with its place`(_ wrong: Wrong) async throws {
        try await withSandbox { sandbox in
            try await sandbox.live()
            let before = try await sandbox.control("GET", "/v1/export").json
            var records = before["records"]?.array ?? []
            let index = try #require(
                records.firstIndex {
                    // Only one of the planned events has steps.
                    guard $0["kind"] == .string(wrong.kind), let document = $0["document"] else { return false }
                    return wrong.member != "events" || document["events"] != nil
                } ?? records.firstIndex { $0["kind"] == .string(wrong.kind) }
            )
            var document = (records[index]["document"] ?? .null).adding(wrong.member, wrong.value)
            if wrong.member == "events" {
                document = document.adding("action", "changeToken").adding("reason", "")
            }
            records[index] = records[index].replacing("document", document)
            let reply = try await sandbox.send(
                .control,
                "POST",
                "/v1/import",
                before.replacing("records", .array(records)).bytes,
                []
            )
            let pointer = "/records/\(index)/document/\(wrong.member)"
            #expect(Problem(reply) == Problem(400, wrong.code, pointer), "\(reply.summary)")
            let isSame = try await sandbox.control("GET", "/v1/export").json == before
            #expect(isSame)
        }
    }

    /// Members that the document itself has not, or not so.
    static let members: [(name: String, value: JSON, pointer: String)] = [
        ("pad/ding", 1, "/pad~1ding"), ("tenant", [:], "/tenant"),
    ]

    @Test func `a document has no other members than an export`() async throws {
        try await withSandbox { sandbox in
            let document = try await sandbox.control("GET", "/v1/export").json
            for (name, value, pointer) in Self.members {
                let bad = document.adding(name, value)
                let reply = try await sandbox.send(.control, "POST", "/v1/import", bad.bytes, [])
                #expect(Problem(reply) == Problem(400, "WORLD_FORMAT", pointer), "\(reply.summary)")
            }
        }
    }

    @Test func `a card whose issuer is missing is refused`() async throws {
        try await withSandbox { sandbox in
            let document = try await sandbox.control("GET", "/v1/export").json
            let records = (document["records"]?.array ?? []).filter { $0["id"] != "DEMOBANK01" }
            let index = try #require(
                records.firstIndex { $0["kind"] == "card" && $0["document"]?["issuerId"] == "DEMOBANK01" }
            )
            let bad = document.replacing("records", .array(records))
            let reply = try await sandbox.send(.control, "POST", "/v1/import", bad.bytes, [])
            let problem = Problem(400, "WORLD_REFERENCE_UNKNOWN", "/records/\(index)/document/issuerId")
            #expect(Problem(reply) == problem, "\(reply.summary)")
        }
    }

    @Test func `too many planned events of one token are refused`() async throws {
        try await withSandbox { sandbox in
            try await sandbox.live()
            let document = try await sandbox.control("GET", "/v1/export").json
            var records = document["records"]?.array ?? []
            let due = try #require(records.first { $0["kind"] == "due" })
            for number in 0..<8 {
                let copy = (due["document"] ?? .null).replacing("order", .number(-number))
                records.append(due.replacing("id", .string(String(-number))).replacing("document", copy))
            }
            let bad = document.replacing("records", .array(records))
            let reply = try await sandbox.send(.control, "POST", "/v1/import", bad.bytes, [])
            let pointer = "/records/\(records.count - 1)/document/subject"
            #expect(Problem(reply) == Problem(400, "WORLD_RECORD_INVALID", pointer), "\(reply.summary)")
        }
    }

    @Test func `a world whose things were removed is imported as it was exported`() async throws {
        try await withSandbox { sandbox in
            try await sandbox.live()
            let devices = try await sandbox.api("GET", "/wallet/apple/devices")["items"].array ?? []
            for id in devices.compactMap({ $0["deviceId"]?.string }) {
                let reply = try await sandbox.api("DELETE", "/wallet/apple/devices/\(id)")
                #expect(reply.status < 300, "\(reply.summary)")
            }
            let bearer = try await sandbox.bearer()
            let path = "v1/issuers/DEMOBANK01/consumers/consumer-ana"
            let removed = try await sandbox.banking("DELETE", path, bearer, nil)
            #expect(removed.status < 300, "\(removed.summary)")
            _ = try await sandbox.control("POST", "/v1/cards/test-visa/events", ["event": "close"])
            // The clock at its end plans beyond it.
            let set = try await sandbox.control(
                "PUT",
                "/v1/clock",
                ["mode": "frozen", "now": "9999-12-31T23:59:59.999Z"]
            )
            #expect(set.status < 300, "\(set.summary)")
            try await sandbox.application.worlds.write(.default) { world in
                try world.plan(.expireToken("any"), at: world.now.adding(seconds: Token.activationPeriodSeconds))
            }
            let document = try await sandbox.control("GET", "/v1/export").json
            let reply = try await sandbox.send(.control, "POST", "/v1/import", document.bytes, [])
            #expect(reply.status == 204, "\(reply.summary)")
        }
    }
}

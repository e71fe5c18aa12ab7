import Core
import Sandbox
import SandboxTesting
import Testing
import Wire

/// Values of control documents: what is read, and what is refused by name.
struct ControlValueTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let method: String
        let path: String
        let body: JSON
        let status: Int
        var code = ""
        var pointer: String?
        var testDescription: String { "\(method) \(path) \(body)" }

        /// Taken.
        init(_ method: String, _ path: String, _ body: JSON, _ status: Int) {
            self.method = method
            self.path = path
            self.body = body
            self.status = status
        }

        /// Refused with 400 and `code` at `pointer`.
        init(_ method: String, _ path: String, _ body: JSON, _ code: String, _ pointer: String) {
            self.init(method, path, body, 400)
            self.code = code
            self.pointer = pointer
        }
    }

    private static let issuer = "/v1/issuers/DEMOBANK01"
    private static let events = "/v1/cards/card-visa/events"
    private static let tenant = "/v1/tenants/default"

    @Test(arguments: [
        // A whole number is one however it is written; null is as if the member were not there.
        Row("PATCH", tenant, ["walletPropagationMs": .number("5.0"), "seed": .null], 200),
        Row("PATCH", tenant, ["walletPropagationMs": .number("5.5")], "FIELD_INVALID", "/walletPropagationMs"),
        Row(
            "POST",
            "/v1/faults",
            [
                "id": .null, "effect": ["respond": ["status": .number("5.03e2"), "headers": .null]],
                "match": ["face": "tpc", "attempt": .null, "direction": .null],
                "trigger": ["times": .number("1.0"), "skip": .null, "probability": .null],
            ],
            201
        ),
        Row("POST", "/v1/faults", ["effect": ["delay": ["fixedMs": 1]], "match": .null, "trigger": .null], 201),
        Row("POST", "/v1/faults", ["effect": .null], "FAULT_RULE_MEMBER_MISSING", "/effect"),
        // An event that looks at neither number nor expiry says what is wrong with them all the same.
        Row("POST", events, ["event": "block", "exp": "1399"], "FIELD_INVALID", "/exp"),
        Row("POST", events, ["event": "block", "pan": "none"], "FIELD_INVALID", "/pan"),
        Row("POST", events, ["event": "block", "exp": "1299"], 200),
        // What other parts of the sandbox read of an issuer has the form they read.
        Row("PUT", issuer, ["callbacks": "http://x"], "CONTROL_BODY_NOT_OBJECT", "/callbacks"),
        Row("PUT", issuer, ["callbacks": ["visa": 1]], "FIELD_INVALID", "/callbacks/visa"),
        Row("PUT", issuer, ["callbacks": ["visa": "http://x", "mastercard": ["url": "http://y"], "amex": .null]], 200),
        Row("PUT", issuer, ["d1": []], "CONTROL_BODY_NOT_OBJECT", "/d1"),
        Row("PUT", issuer, ["d1": ["audience": 1]], "FIELD_INVALID", "/d1/audience"),
        Row("PUT", issuer, ["d1": ["audience": ["a", 1]]], "FIELD_INVALID", "/d1/audience/1"),
        Row("PUT", issuer, ["d1": ["scopes": "s"]], "FIELD_INVALID", "/d1/scopes"),
        Row("PUT", issuer, ["d1": ["audience": "a", "scopes": ["s"]]], 200),
        Row(
            "PUT",
            issuer,
            ["networkKeys": ["visa": ["keySetId": "ключ"]]],
            "FIELD_INVALID",
            "/networkKeys/visa/keySetId"
        ),
        Row(
            "PUT",
            issuer,
            ["networkKeys": ["visa": ["keySetId": "a b"]]],
            "FIELD_INVALID",
            "/networkKeys/visa/keySetId"
        ),
    ])
    func `values are read as the document describes them`(_ row: Row) async throws {
        try await withSandbox { sandbox in
            let reply = try await sandbox.control(row.method, row.path, row.body)
            guard row.code.isEmpty else {
                #expect(Problem(reply) == Problem(row.status, row.code, row.pointer))
                return
            }
            #expect(reply.status == row.status, "\(reply.summary)")
        }
    }

    @Test func `a rule with nulls does what it does without them`() async throws {
        try await withSandbox { sandbox in
            let rule: JSON = [
                "effect": ["respond": ["status": 418, "body": .null]], "match": ["path": .null, "face": "wallet"],
                "trigger": ["times": .number("1.0"), "ttlSeconds": .null],
            ]
            #expect(try await sandbox.control("POST", "/v1/faults", rule).status == 201)
            let statuses = [
                try await sandbox.api("POST", "/wallet/apple/devices", ["kind": "phone"]).status,
                try await sandbox.api("POST", "/wallet/apple/devices", ["kind": "phone"]).status,
            ]
            #expect(statuses == [418, 201])
        }
    }
}

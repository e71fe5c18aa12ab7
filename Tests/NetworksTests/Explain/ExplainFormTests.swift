import Core
import SandboxTesting
import Testing
import Wire

/// The request for an explanation itself, and that nothing secret comes back.
struct ExplainFormTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let code: String
        let pointer: String
        let body: JSON
        var testDescription: String { "\(code) \(pointer) \(body.text.prefix(80))" }

        init(_ code: String, _ pointer: String, _ body: JSON) {
            (self.code, self.pointer, self.body) = (code, pointer, body)
        }

        static func context(_ code: String, _ name: String, _ context: JSON, kind: String = "pkcs7") -> Case {
            let value: JSON = kind == "pass" ? [:] : "x"
            return Case(code, "/context/\(name)", ["kind": .string(kind), "value": value, "context": context])
        }

        static let all: [Case] = [
            Case("CONTROL_BODY_NOT_OBJECT", "", []), Case("FIELD_MISSING", "/kind", ["value": "x"]),
            Case("FIELD_INVALID", "/kind", ["kind": "jwt", "value": "x"]),
            Case("EXPLAIN_KIND_NOT_SERVED", "/kind", ["kind": "oauth1", "value": "x"]),
            Case("EXPLAIN_KIND_NOT_SERVED", "/kind", ["kind": "x-pay-token", "value": "x"]),
            Case("EXPLAIN_KIND_NOT_SERVED", "/kind", ["kind": "amex-mac", "value": "x"]),
            Case("FIELD_MISSING", "/value", ["kind": "jws"]),
            Case("FIELD_INVALID", "/value", ["kind": "jws", "value": 1]),
            Case("FIELD_INVALID", "/value", ["kind": "pass", "value": "x"]),
            Case("CONTROL_BODY_NOT_OBJECT", "/context", ["kind": "jws", "value": "x", "context": "y"]),
            .context("FIELD_INVALID", "network", ["network": "VISA"]),
            .context("FIELD_INVALID", "use", ["use": "code"]), .context("FIELD_INVALID", "exp", ["exp": "1330"]),
            .context("FIELD_INVALID", "pan", ["pan": "4111 1111"]),
            .context("FIELD_INVALID", "nonce", ["nonce": "??"]), .context("FIELD_INVALID", "sub", ["sub": 1]),
            .context("EXPLAIN_KEY_UNKNOWN", "keyId", ["keyId": "none"]),
            .context("EXPLAIN_KEY_UNKNOWN", "keyId", ["keyId": "none"], kind: "jwe"),
            .context("EXPLAIN_KEY_UNKNOWN", "keyId", ["keyId": "none", "use": "issuerToken"], kind: "jws"),
            .context("FIELD_MISSING", "sessionId", [:], kind: "pass"),
            .context("FIELD_INVALID", "issuerId", ["issuerId": "NOBANK0000", "sessionId": "s"], kind: "pass"),
            .context("PAN_NOT_TEST", "pan", ["network": "visa", "pan": "4539578763621486"], kind: "activation-data"),
            .context(
                "PAN_NETWORK_MISMATCH",
                "pan",
                ["network": "visa", "pan": "378282246310005"],
                kind: "activation-data"
            ),
            .context(
                "FIELD_INVALID",
                "issuerId",
                ["network": "visa", "issuerId": "NOBANK0000"],
                kind: "activation-data"
            ),
            .context("EXPLAIN_SESSION_UNKNOWN", "sessionId", ["sessionId": "s"], kind: "activation-data"),
        ]
    }

    @Test(arguments: Case.all)
    func `a request that cannot be understood is 400 with the place`(_ example: Case) async throws {
        try await withSandbox { sandbox in
            let reply = try await sandbox.control("POST", "/v1/explain", example.body)
            #expect(reply.header("content-type") == "application/problem+json")
            #expect((reply.status, reply.text("code")) == (400, example.code), "\(reply.summary)")
            #expect(reply["pointer"].string == example.pointer)
        }
    }

    @Test func `neither number nor plaintext nor token comes back`() async throws {
        try await withSandbox { sandbox in
            let card = TestCard("test-visa", pan: "4111111111111111", exp: "9932", name: "4111111111111111")
            let issuer = TestIssuer(sandbox)
            let code = try issuer.code(sub: "4111111111111111")
            let calls: [JSON] = [
                ["kind": "pkcs7", "value": .string(try issuer.payload(card)), "context": ["network": "amex"]],
                ["kind": "pkcs7", "value": "4111111111111111"], ["kind": "jwe", "value": "4111111111111111"],
                [
                    "kind": "jws", "value": .string(code),
                    "context": ["sub": "4111111111111111", "aud": "4111111111111111"],
                ],
                [
                    "kind": "activation-data", "value": "4111111111111111",
                    "context": [
                        "network": "amex", "pan": "4111111111111111",
                    ],
                ],
                ["kind": "4111111111111111", "value": "x"],
                [
                    "kind": "pass", "value": ["encryptedPassData": "4111111111111111"],
                    "context": [
                        "sessionId": "4111111111111111"
                    ],
                ],
            ]
            for call in calls {
                let reply = try await sandbox.control("POST", "/v1/explain", call)
                #expect((200..<500).contains(reply.status))
                #expect(!reply.text.contains("4111111111111111"), "\(reply.text)")
            }
        }
    }
}

import Core
import Crypto
import SandboxTesting
import Testing
import Wire

/// A signed token of which nobody says what it is for: the form first, then what every use would refuse.
struct ExplainUseTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var context: JSON = [:]
        let token: @Sendable (TestIssuer) throws -> String
        /// What the check of the use says is possible; nil when the use is clear.
        let possible: String?
        /// Codes of the failed checks besides.
        let codes: [String]
    }

    private static let every = "authorizationCode, issuerToken, d1Assertion"

    /// A token of the key for D1, which two uses have.
    private static func d1(_ issuer: TestIssuer, _ changes: [(String, JSON)] = [], kid: String? = nil) throws -> String
    {
        let now = issuer.now.seconds
        var claims = JSONObject([
            ("iss", .string(issuer.issuerID)), ("sub", "consumer-ana"), ("iat", .number(now)),
            ("exp", .number(now + 300)),
        ])
        for (name, value) in changes { claims[name] = value.isNull ? JSON?.none : value }
        let key = try PrivateKey(pem: try issuer.key("issuers/\(issuer.issuerID)/d1.key.pem"))
        return try JWSSigner.sign(.object(claims), .es256, key: key, kid: kid ?? "\(issuer.issuerID.lowercased())-d1-1")
    }

    private static func unsigned(_ header: JSON, _ claims: JSON) -> String {
        [header, claims].map { Base64.encode($0.bytes, .url) }.joined(separator: ".") + "."
    }

    /// Each of the three parts of a.b.c.
    private static let garbage = [String](repeating: "JWT_SEGMENT_LENGTH", count: 3)

    private static let lost: [(String, JSON)] = [("aud", "https://nobody.test")]

    static let rows: [Row] = [
        Row(testDescription: "garbage", token: { _ in "a.b.c" }, possible: every, codes: garbage),
        Row(testDescription: "no token", token: { _ in "hello" }, possible: every, codes: ["JWT_PARTS"]),
        Row(
            testDescription: "garbage, with a key that there is not",
            context: ["issuerId": "DEMOBANK01", "keyId": "none"],
            token: { _ in "a.b.c" },
            possible: every,
            codes: garbage
        ),
        Row(
            testDescription: "alg none",
            token: { _ in unsigned(["alg": "none"], ["iss": "DEMOBANK01", "exp": 1]) },
            possible: every,
            codes: ["JWT_ALG_NONE", "JWT_IAT_MISSING", "JWT_EXPIRED"]
        ),
        Row(
            testDescription: "alg none of nobody",
            token: { _ in unsigned(["alg": "none"], [:]) },
            possible: every,
            codes: ["ISSUER_UNKNOWN", "JWT_ALG_NONE", "JWT_EXP_MISSING", "JWT_IAT_MISSING"]
        ),
        Row(
            testDescription: "only the issuer is known",
            context: ["issuerId": "DEMOBANK01"],
            token: { try $0.code(sub: "card-visa", changes: lost, kid: "nobody") },
            possible: "authorizationCode, issuerToken",
            codes: ["JWT_KID_UNKNOWN"]
        ),
        Row(
            testDescription: "a kid of two uses",
            context: ["issuerId": "DEMOBANK01"],
            token: { try d1($0) },
            possible: "issuerToken, d1Assertion",
            codes: []
        ),
        Row(
            testDescription: "a kid of two uses, over, for another issuer",
            context: ["issuerId": "DEMOBANK02"],
            token: { try d1($0, [("exp", .number($0.now.seconds - 900)), ("iat", .number($0.now.seconds - 950))]) },
            possible: "issuerToken, d1Assertion",
            codes: ["EXPLAIN_ISSUER_DIFFERS", "JWT_KID_UNKNOWN", "JWT_EXPIRED"]
        ),
        Row(
            testDescription: "a kid of two uses, and claims that the context knows better",
            context: ["sub": "consumer-beto", "aud": "https://d1.test"],
            token: { try d1($0, [("aud", "other")]) },
            possible: "issuerToken, d1Assertion",
            codes: ["EXPLAIN_SUB_DIFFERS", "EXPLAIN_AUD_DIFFERS"]
        ),
        Row(
            testDescription: "signed by another key",
            token: { issuer in
                let parts = try d1(issuer).split(separator: ".")
                let other = try d1(issuer, [("sub", "consumer-beto")]).split(separator: ".")
                return [parts[0], parts[1], other[2]].joined(separator: ".")
            },
            possible: "issuerToken, d1Assertion",
            codes: ["JWT_SIGNATURE_INVALID"]
        ),
        Row(
            testDescription: "the key of one use, the claims of another",
            token: { try $0.code(sub: "card-visa", changes: lost + [("scope", "digibank:mobilebanking")]) },
            possible: "authorizationCode, issuerToken",
            codes: []
        ),
        Row(
            testDescription: "a scope settles it",
            token: { try d1($0, [("scope", "digibank:mobilebanking")]) },
            possible: nil,
            codes: ["D1_AUD_MISSING", "D1_JTI_MISSING", "CBP_MISSING"]
        ),
        Row(
            testDescription: "the context settles it",
            context: ["use": "d1Assertion"],
            token: { try d1($0, [("sub", "DEMOBANK01")]) },
            possible: nil,
            codes: []
        ),
        Row(
            testDescription: "garbage, the use is known",
            context: ["use": "issuerToken", "issuerId": "DEMOBANK01"],
            token: { _ in "a.b.c" },
            possible: nil,
            codes: garbage
        ),
    ]

    @Test(arguments: rows)
    func `what every use refuses is told, and what is possible`(_ row: Row) async throws {
        try await withSandbox { sandbox in
            let value = JSON.string(try row.token(TestIssuer(sandbox)))
            let told = try await sandbox.explainIdly("jws", value, row.context)
            let use = told.filter { $0.code == "EXPLAIN_USE_UNCLEAR" }
            #expect(use.map(\.evidence) == (row.possible.map { ["possible: \($0); context.use settles it"] } ?? []))
            #expect(use.allSatisfy { !$0.passed && $0.name == "context.use" })
            #expect(told.codes.filter { $0 != "EXPLAIN_USE_UNCLEAR" } == row.codes, "\(told)")
            if row.possible != nil { #expect(told.first?.name == "token.form", "\(told)") }
            if row.codes.isEmpty { #expect(told.contains { $0.passed && $0.name.hasSuffix(".signature") }, "\(told)") }
        }
    }

    @Test func `a key that there is not is named, when the token can be read`() async throws {
        try await withSandbox { sandbox in
            let body: JSON = [
                "kind": "jws", "value": .string(try Self.d1(TestIssuer(sandbox))), "context": ["keyId": "none"],
            ]
            let reply = try await sandbox.control("POST", "/v1/explain", body)
            #expect((reply.status, reply.text("pointer")) == (400, "/context/keyId"))
            #expect(reply.text("detail").contains("known: demobank01-d1-1"))
        }
    }
}

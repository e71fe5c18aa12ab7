import Core
import Crypto
import SandboxTesting
import Testing
import Wire

/// `jws` and `jwe` of D1: an explanation says what the journal of the request says.
struct ExplainD1Tests {
    /// A way to break an issuer token, and its code.
    struct Case: CustomTestStringConvertible, Sendable {
        let code: String
        var changes: [(String, JSON)] = []
        var kid: String?
        var isForged = false
        var testDescription: String { code }

        static let all = [
            Case(code: ""), Case(code: "D1_ISS_MISSING", changes: [("iss", .null)]),
            Case(code: "D1_ISS_UNKNOWN", changes: [("iss", "NOBANK0000")]),
            Case(code: "D1_SUB_FORM", changes: [("sub", "a b a")]),
            Case(code: "D1_CONSUMER_UNKNOWN", changes: [("sub", "consumer-nobody")]),
            Case(code: "D1_AUD_MISMATCH", changes: [("aud", "https://elsewhere.test")]),
            Case(code: "D1_SCOPE_UNKNOWN", changes: [("scope", "other")]),
            Case(code: "D1_JTI_MISSING", changes: [("jti", .null)]),
            Case(code: "JWT_EXPIRED", changes: [("exp", 1_893_455_000)]),
            Case(code: "JWT_KID_UNKNOWN", kid: "nobody"), Case(code: "JWT_SIGNATURE_INVALID", isForged: true),
            Case(code: "CBP_MISSING", changes: [("cbp", .null)]), Case(code: "CBP_UNKNOWN", changes: [("cbp", "x")]),
            Case(code: "CBP_FORM", changes: [("cbp", 7)]),
        ]
    }

    @Test(arguments: Case.all)
    func `an issuer token is told as the login tells it, and neither jti nor binding is spent`(
        _ example: Case
    ) async throws {
        try await withSandbox { sandbox in
            let deviceID = try await sandbox.device()
            _ = try await sandbox.configure(deviceID, [("card-visa", nil)])
            let hash = try await sandbox.bindingHash(deviceID)["bindingHash"].string
            let key = example.isForged ? try PrivateKey.generateP256() : nil
            let token = try TestIssuer(sandbox).token(
                cbp: hash,
                changes: example.changes,
                key: key,
                kid: example.kid
            )
            let told = try await sandbox.explainIdly("jws", .string(token), ["use": "issuerToken"])
            let reply = try await sandbox.login(deviceID, [token])
            #expect(reply.diagnosis.contains(example.code) || (example.code.isEmpty && reply.status == 200))
            let live = try await sandbox.judged()
            #expect(told.about("issuerTokens[0]", "consumer") == live.about("issuerTokens[0]", "consumer"))
            guard example.code.isEmpty else { return }
            let again = try await sandbox.explainIdly("jws", .string(token), ["use": "issuerToken"])
            #expect(again.codes == ["JWT_JTI_REPLAYED", "CBP_SPENT"])
        }
    }

    @Test(arguments: TokenEndpointTests.Case.all)
    func `an assertion is told as the token endpoint tells it`(_ example: TokenEndpointTests.Case) async throws {
        try await withSandbox { sandbox in
            let key = example.algorithm == .es384 ? try PrivateKey(pem: D1TestKeys.p384) : nil
            let assertion = try TestIssuer(sandbox).assertion(
                changes: example.changes,
                algorithm: example.algorithm,
                key: key,
                kid: example.kid
            )
            let told = try await sandbox.explainIdly("jws", .string(assertion), ["use": "d1Assertion"])
            #expect(try await sandbox.tokenRequest(assertion).status == 401)
            #expect(told.about("assertion.") == (try await sandbox.judged()).about("assertion."))
        }
    }

    @Test func `an assertion's jti is told used only after it was`() async throws {
        try await withSandbox { sandbox in
            let assertion = try TestIssuer(sandbox).assertion(changes: [("jti", "once")])
            let fresh = try await sandbox.explainIdly("jws", .string(assertion))
            #expect(fresh.codes == [])
            #expect(try await sandbox.tokenRequest(assertion).status == 200)
            #expect(fresh.about("assertion.") == (try await sandbox.judged()).about("assertion."))
            #expect(try await sandbox.explainIdly("jws", .string(assertion)).codes == ["JWT_JTI_REPLAYED"])
        }
    }

    @Test func `the use is told apart only where it is certain`() async throws {
        try await withSandbox { sandbox in
            let issuer = TestIssuer(sandbox)
            // The claims decide, then the kid; a token that could be two things is asked about.
            let token = try await sandbox.explain("jws", .string(try issuer.token()))
            #expect(token.contains { $0.name.hasPrefix("issuerTokens[0]") })
            let code = try await sandbox.explain("jws", .string(try issuer.code(sub: "x", changes: [("aud", .null)])))
            #expect(code.contains { $0.name.hasPrefix("authorizationCode") })
            let unclear = try issuer.token(changes: [("scope", .null)])
            #expect(try await sandbox.explainIdly("jws", .string(unclear)).codes == ["EXPLAIN_USE_UNCLEAR"])
            let other = try await sandbox.explain(
                "jws",
                .string(unclear),
                ["use": "issuerToken", "issuerId": "DEMOBANK02", "sub": "consumer-beto", "aud": "elsewhere"]
            )
            #expect(
                other.codes == [
                    "EXPLAIN_ISSUER_DIFFERS", "D1_SCOPE_MISSING", "CBP_MISSING", "EXPLAIN_SUB_DIFFERS",
                    "EXPLAIN_AUD_DIFFERS",
                ]
            )
        }
    }

    /// What stands in `encryptedData`, and the code.
    static let encrypted: [(code: String, make: @Sendable (TestIssuer) throws -> String)] = [
        ("", { try $0.encryptedData("4761731000000050") }),
        ("PAN_LUHN", { try $0.encryptedData("5123456789012345") }),
        ("PAN_NOT_TEST", { try $0.encryptedData("4539578763621486") }),
        ("PAYLOAD_EXP_IMPOSSIBLE", { try $0.encryptedData("4761731000000050", exp: "1399") }),
        ("JWE", { _ in "a.b" }), ("JWE", { try $0.encryptedData("4761731000000050") + "x" }),
        (
            "JWE_KID",
            { issuer in
                let recipient = try PublicKey(pem: try issuer.key("d1/encryption.pub.pem"))
                return try JWESealer.seal(Array("{}".utf8), to: recipient, kid: "OTHER")
            }
        ),
        (
            "PAYLOAD_NOT_JSON",
            { issuer in
                let recipient = try PublicKey(pem: try issuer.key("d1/encryption.pub.pem"))
                return try JWESealer.seal(Array("card".utf8), to: recipient, kid: "D1-ENC-1")
            }
        ),
    ]

    @Test(arguments: encrypted.indices)
    func `encrypted data is told as the card's registration tells it`(_ index: Int) async throws {
        let example = Self.encrypted[index]
        try await withSandbox { sandbox in
            if example.code == "PAN_LUHN" { try await sandbox.changePolicies("DEMOBANK01", ["strictness": "strict"]) }
            let text = try example.make(TestIssuer(sandbox))
            let told = try await sandbox.explainIdly("jwe", .string(text), ["issuerId": "DEMOBANK01"])
            let bearer = try await sandbox.bearer()
            _ = try await sandbox.banking(
                "PUT",
                "v2/issuers/DEMOBANK01/cards/card-new",
                bearer,
                ["consumerId": "consumer-ana", "encryptedData": .string(text)]
            )
            let live = try await sandbox.judged()
            #expect(told.about("encryptedData") == live.about("encryptedData"))
            #expect(!live.about("encryptedData").isEmpty)
            #expect(live.codes.isEmpty == example.code.isEmpty, "\(live)")
        }
    }
}

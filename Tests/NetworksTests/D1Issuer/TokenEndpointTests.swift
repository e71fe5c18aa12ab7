import Core
import Crypto
import SandboxTesting
import Testing
import Wire

/// `oauth2/token` and the bearer it gives.
struct TokenEndpointTests {
    @Test func `an assertion gives a bearer for 900 seconds`() async throws {
        try await withSandbox { sandbox in
            let reply = try await sandbox.tokenRequest(TestIssuer(sandbox).assertion())
            #expect(reply.status == 200)
            #expect((reply["token_type"], reply["expires_in"]) == ("Bearer", 900))
            #expect(reply["scope"].string?.contains("d1-api:") == true)
            let bearer = reply["access_token"].string ?? ""
            let path = "v1/issuers/DEMOBANK01/consumers/consumer-ana"
            #expect(try await sandbox.banking("GET", path, bearer).status == 200)
            // Good for many calls, until it is over.
            sandbox.clock.advance(seconds: 899)
            #expect(try await sandbox.banking("GET", path, bearer).status == 200)
            sandbox.clock.advance(seconds: 1)
            let late = try await sandbox.banking("GET", path, bearer)
            #expect((late.status, late.diagnosis) == (401, ["D1_BEARER_EXPIRED"]))
            #expect(late.json == ["errorCode": "AUTHORIZER_UNAUTHORIZED", "error": "Unauthorized"])
        }
    }

    struct Case: CustomTestStringConvertible {
        let changes: [(String, JSON)]
        let algorithm: JWSAlgorithm
        let kid: String?
        let diagnosis: String
        var testDescription: String { diagnosis }

        init(_ changes: [(String, JSON)], _ diagnosis: String, algorithm: JWSAlgorithm = .es256, kid: String? = nil) {
            self.changes = changes
            self.diagnosis = diagnosis
            self.algorithm = algorithm
            self.kid = kid
        }

        static let all = [
            Case([("iss", "NOBANK0000")], "JWT_NO_KEYS"), Case([("sub", "DEMOBANK02")], "D1_ASSERTION_SUB"),
            Case([("exp", 1_893_457_000)], "D1_ASSERTION_LIFE"), Case([("exp", .null)], "JWT_EXP_MISSING"),
            Case([("exp", 1_893_455_000)], "JWT_EXPIRED"), Case([("iat", .null)], "JWT_IAT_MISSING"),
            Case([("jti", "")], "D1_JTI_FORM"), Case([], "JWT_KID_UNKNOWN", kid: "x"),
            Case([], "JWT_ALG_NOT_ALLOWED", algorithm: .es384),
        ]
    }

    @Test(arguments: Case.all)
    func `an assertion that breaks a rule is not accepted`(_ case: Case) async throws {
        try await withSandbox { sandbox in
            let key = `case`.algorithm == .es384 ? try PrivateKey(pem: D1TestKeys.p384) : nil
            let assertion = try TestIssuer(sandbox).assertion(
                changes: `case`.changes,
                algorithm: `case`.algorithm,
                key: key,
                kid: `case`.kid
            )
            let reply = try await sandbox.tokenRequest(assertion)
            #expect(reply.status == 401)
            #expect(reply.diagnosis.first == `case`.diagnosis)
            #expect(reply["access_token"] == .null)
        }
    }

    @Test func `a jti is good once, the grant type is fixed`() async throws {
        try await withSandbox { sandbox in
            let assertion = try TestIssuer(sandbox).assertion(changes: [("jti", "one")])
            #expect(try await sandbox.tokenRequest(assertion).status == 200)
            let again = try await sandbox.tokenRequest(assertion)
            #expect((again.status, again.diagnosis) == (401, ["JWT_JTI_REPLAYED"]))
            let grant = try await sandbox.tokenRequest(assertion, grant: "client_credentials")
            #expect((grant.status, grant.diagnosis) == (400, ["D1_GRANT_TYPE"]))
            #expect(grant.json == ["errorCode": "FIELD_INVALID_VALUE", "error": "grant_type"])
        }
    }

    @Test func `another issuer's bearer, none, and an unknown one`() async throws {
        try await withSandbox { sandbox in
            let path = "v2/issuers/DEMOBANK01/consumers/consumer-ana"
            let other = try await sandbox.banking("GET", path, try await sandbox.bearer("DEMOBANK02"))
            #expect((other.status, other.diagnosis) == (401, ["D1_BEARER_OF_OTHER_ISSUER"]))
            #expect(try await sandbox.banking("GET", path, "x").diagnosis == ["D1_BEARER_UNKNOWN"])
            #expect(try await sandbox.api("GET", "/banking/" + path).diagnosis == ["D1_BEARER_MISSING"])
            let nobody = try await sandbox.banking("GET", "v2/issuers/NOBANK0000/consumers/x", "x")
            #expect((nobody.status, nobody.diagnosis.first) == (404, "D1_API_ISSUER_UNKNOWN"))
            let path404 = try await sandbox.banking("GET", "v3/nothing", "x")
            #expect((path404.status, path404.json) == (404, ["errorCode": "-", "error": "Not Found"]))
        }
    }
}

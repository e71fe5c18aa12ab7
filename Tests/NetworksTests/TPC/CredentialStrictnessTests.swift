import Core
import Crypto
import SandboxTesting
import Testing
import Wire

/// Tenant, issuer, credential: the narrowest that says something decides (CONTRACT, section 1).
struct CredentialStrictnessTests {
    /// Who says what; nil says nothing.
    struct Row: CustomTestStringConvertible, Sendable {
        let tenant: Strictness
        let issuer: Strictness?
        let credential: Strictness?

        var effective: Strictness { credential ?? issuer ?? tenant }
        var testDescription: String {
            [tenant, issuer, credential].map { $0?.rawValue ?? "–" }.joined(separator: " ")
        }

        static let all: [Row] = Strictness.allCases.flatMap { tenant in
            ([nil] + Strictness.allCases).flatMap { issuer in
                ([nil] + Strictness.allCases).map { Row(tenant: tenant, issuer: issuer, credential: $0) }
            }
        }
    }

    private func prepare(_ sandbox: TestSandbox, _ row: Row, use: String = "authorizationCode") async throws {
        try await sandbox.strictness(row.tenant.rawValue)
        try await sandbox.changePolicies("DEMOBANK01", ["strictness": row.issuer.map { .string($0.rawValue) } ?? .null])
        try await sandbox.changeKeys { key in
            guard key["use"]?.string == use else { return key }
            return key.replacing("strictness", row.credential.map { .string($0.rawValue) } ?? .null)
        }
    }

    @Test(arguments: Row.all)
    func `the narrowest decides the form of the payload, Luhn, exp, kid and content type`(_ row: Row) async throws {
        try await withSandbox { sandbox in
            try await prepare(sandbox, row)
            let begun = try await Provisioning.begin(sandbox)
            let good = try sandbox.passRequest(begun.session, begun.card, .visa)
            let issuer = TestIssuer(sandbox)
            let (isLenient, isStrict) = (row.effective == .lenient, row.effective == .strict)

            let der = try Hex.decode(good["encryptedPayload"]?.string ?? "")
            let encoded = good.replacing("encryptedPayload", .string(Base64.encode(der)))
            let form = try await sandbox.tpc("generateAddPaymentPassRequest", encoded)
            #expect(form.diagnosis == (isLenient ? [] : ["ENC_BASE64"]))

            let wrongDigit = TestCard("test-luhn", pan: "5123456789012345")
            var luhn = try sandbox.passRequest(begun.session, wrongDigit, .mastercard)
            #expect(
                try await sandbox.tpc("generateAddPaymentPassRequest", luhn).diagnosis == (isStrict ? ["PAN_LUHN"] : [])
            )
            luhn = good.replacing(
                "authorizationCode",
                .string(try issuer.code(sub: "test-visa", changes: [("exp", 1_893_456_600)]))
            )
            let far = try await sandbox.tpc("generateAddPaymentPassRequest", luhn)
            #expect(far.diagnosis == (isStrict ? ["JWT_EXP_FAR"] : []))

            let claims: JSON = [
                "iss": "DEMOBANK01", "sub": "test-visa", "aud": "APPLE_PAY", "iat": 1_893_456_000,
                "exp": 1_893_456_300,
            ]
            let bare = good.replacing("authorizationCode", .string(try issuer.code(claims: claims.text)))
            let kid = try await sandbox.tpc("generateAddPaymentPassRequest", bare)
            #expect(kid.diagnosis == (isStrict ? ["JWT_KID_MISSING"] : []))

            let path = "/mg/tpc/DEMOBANK01/generateAddPaymentPassRequest"
            let text = try await sandbox.send(.api, "POST", path, good.bytes, [("Content-Type", "text/plain")])
            #expect(text.status == (isStrict ? 415 : 200), "\(text.summary)")
        }
    }

    @Test(arguments: Row.all.filter { $0.credential == nil })
    func `a call without a code is judged by issuer and tenant`(_ row: Row) async throws {
        try await withSandbox { sandbox in
            try await prepare(sandbox, row)
            let issuer = TestIssuer(sandbox)
            let good: JSON = ["scheme": "VISA", "encryptedPayload": .string(try issuer.payload(.visa))]
            let path = "/mg/tpc/DEMOBANK01/getTokens"
            let reply = try await sandbox.send(.api, "POST", path, good.bytes, [("Content-Type", "text/plain")])
            #expect(reply.status == (row.effective == .strict ? 415 : 200), "\(reply.summary)")
            let bearer = try await sandbox.bearer()
            let consumer = try await sandbox.send(
                .api,
                "PUT",
                "/banking/v2/issuers/DEMOBANK01/consumers/consumer-new",
                Array("{}".utf8),
                [("Content-Type", "text/plain"), ("Authorization", "Bearer \(bearer)")]
            )
            #expect((consumer.status == 415) == (row.effective == .strict), "\(consumer.summary)")
        }
    }

    @Test(arguments: Row.all)
    func `the key that a token names decides a login`(_ row: Row) async throws {
        try await withSandbox { sandbox in
            try await prepare(sandbox, row, use: "issuerToken")
            let deviceID = try await sandbox.device()
            _ = try await sandbox.configure(deviceID, [("card-visa", nil)])
            let issuer = TestIssuer(sandbox)
            func logIn(_ changes: [(String, JSON)], _ type: String) async throws -> TestReply {
                let hash = try await sandbox.bindingHash(deviceID)["bindingHash"].string
                let body: JSON = [
                    "deviceId": .string(deviceID), "application": .string(TestSandbox.walletExtensionUI),
                    "context": "extension", "issuerTokens": [.string(try issuer.token(cbp: hash, changes: changes))],
                ]
                return try await sandbox.send(
                    .api,
                    "POST",
                    "/d1/client/v1/login",
                    body.bytes,
                    [("Content-Type", type)]
                )
            }
            let far = try await logIn([("exp", 1_893_456_600)], "application/json")
            #expect(far.diagnosis == (row.effective == .strict ? ["JWT_EXP_FAR"] : []))
            let bare = try await logIn([("iat", .null)], "application/json")
            #expect(bare.diagnosis == (row.effective == .lenient ? [] : ["JWT_IAT_MISSING"]))
            let text = try await logIn([], "text/plain")
            #expect((text.status == 415) == (row.effective == .strict), "\(text.summary)")
        }
    }

    @Test(arguments: Row.all)
    func `the key that an assertion names decides the token endpoint`(_ row: Row) async throws {
        try await withSandbox { sandbox in
            try await prepare(sandbox, row, use: "d1Assertion")
            let issuer = TestIssuer(sandbox)
            let bare = try await sandbox.tokenRequest(try issuer.assertion(changes: [("iat", .null)]))
            #expect(bare.diagnosis == (row.effective == .lenient ? [] : ["JWT_IAT_MISSING"]))
            let body = "grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer&assertion=\(try issuer.assertion())"
            let text = try await sandbox.send(
                .api,
                "POST",
                "/authz/v1/oauth2/token",
                Array(body.utf8),
                [("Content-Type", "text/plain")]
            )
            #expect((text.status == 415) == (row.effective == .strict), "\(text.summary)")
        }
    }

    @Test func `the signature must be of the very key whose strictness is taken`() async throws {
        try await withSandbox { sandbox in
            // Two keys: the lenient one is another's, and only its name is borrowed.
            let other = try TestIssuer(sandbox, "DEMOBANK02").key("issuers/DEMOBANK02/authorization.pub.pem")
            try await sandbox.strictness("strict")
            try await sandbox.changeKeys(adding: [
                "use": "authorizationCode", "kid": "easy", "pem": .string(other), "strictness": "lenient",
            ])
            let begun = try await Provisioning.begin(sandbox)
            let good = try sandbox.passRequest(begun.session, begun.card, .visa)
            let der = try Hex.decode(good["encryptedPayload"]?.string ?? "")
            let bent = good.replacing("encryptedPayload", .string(Base64.encode(der)))
            let forged = bent.replacing(
                "authorizationCode",
                .string(try TestIssuer(sandbox).code(sub: "test-visa", kid: "easy"))
            )
            let refused = try await sandbox.tpc("generateAddPaymentPassRequest", forged)
            #expect(refused.diagnosis == ["JWT_SIGNATURE_INVALID"])
            // Its owner may, and only its owner.
            let key = try PrivateKey(pem: TestIssuer(sandbox).key("issuers/DEMOBANK02/authorization.key.pem"))
            let claims: JSON = [
                "iss": "DEMOBANK01", "sub": "test-visa", "aud": "APPLE_PAY", "iat": 1_893_456_000,
                "exp": 1_893_456_300,
            ]
            let own = bent.replacing(
                "authorizationCode",
                .string(try JWSSigner.sign(claims, .rs256, key: key, kid: "easy"))
            )
            #expect(try await sandbox.tpc("generateAddPaymentPassRequest", own).status == 200)
            let usual = try await sandbox.tpc("generateAddPaymentPassRequest", bent)
            #expect(usual.diagnosis == ["ENC_BASE64"])
        }
    }

    @Test func `a code that nobody verifies chooses no rules`() async throws {
        try await withSandbox { sandbox in
            try await sandbox.changeKeys { $0.replacing("strictness", "lenient") }
            let issuer = TestIssuer(sandbox)
            let der = try Hex.decode(try issuer.payload(.visa))
            let body: JSON = [
                "scheme": "VISA", "encryptedPayload": .string(Base64.encode(der)),
                "authorizationCode": .string(try issuer.code(sub: "test-visa")),
            ]
            #expect(try await sandbox.tpc("getTokens", body).diagnosis == ["ENC_BASE64"])
            let card = body.adding("deviceId", "none").adding("application", "none")
            #expect(try await sandbox.tpc("isCardDigitized", card).diagnosis == ["ENC_BASE64"])
        }
    }

    @Test func `of two keys with one name the stricter decides, and a code without kid names none of two`() async throws
    {
        try await withSandbox { sandbox in
            let other = try TestIssuer(sandbox, "DEMOBANK02").key("issuers/DEMOBANK02/authorization.pub.pem")
            // No document can say so, but a world of an earlier version may hold it.
            try await sandbox.importKey([
                "use": "authorizationCode", "kid": "demobank01-auth-1", "pem": .string(other), "strictness": "lenient",
            ])
            let begun = try await Provisioning.begin(sandbox)
            let good = try sandbox.passRequest(begun.session, begun.card, .visa)
            let der = try Hex.decode(good["encryptedPayload"]?.string ?? "")
            let bent = good.replacing("encryptedPayload", .string(Base64.encode(der)))
            #expect(try await sandbox.tpc("generateAddPaymentPassRequest", bent).diagnosis == ["ENC_BASE64"])
            let claims: JSON = [
                "iss": "DEMOBANK01", "sub": "test-visa", "aud": "APPLE_PAY", "iat": 1_893_456_000,
                "exp": 1_893_456_300,
            ]
            let bare = bent.replacing(
                "authorizationCode",
                .string(try TestIssuer(sandbox).code(claims: claims.text))
            )
            #expect(try await sandbox.tpc("generateAddPaymentPassRequest", bare).diagnosis == ["ENC_BASE64"])
        }
    }

    @Test func `a key's strictness comes back as it was put, and a word that is not one is refused`() async throws {
        try await withSandbox { sandbox in
            try await sandbox.changeKeys { $0.replacing("strictness", "strict") }
            let issuer = try await sandbox.control("GET", "/v1/issuers/DEMOBANK01").json
            #expect(issuer["keys"]?.array?.map { $0["strictness"]?.string } == ["strict", "strict", "strict"])
            let stored = try await sandbox.records().filter { $0.hasPrefix("issuer ") && $0.contains("DEMOBANK01") }
            #expect(stored.first?.contains("\"strictness\":\"strict\"") == true)
            let bent = issuer.replacing(
                "keys",
                [issuer["keys"]?.array?[0].replacing("strictness", "severe") ?? .null]
            )
            let reply = try await sandbox.control("PUT", "/v1/issuers/DEMOBANK01", bent.without("networkKeys"))
            #expect((reply.status, reply.text("pointer")) == (400, "/keys/0/strictness"))
        }
    }
}

extension TestSandbox {
    /// Brings the world back with one key more.
    fileprivate func importKey(_ key: JSON, to issuerID: String = "DEMOBANK01") async throws {
        let world = try await control("GET", "/v1/export").json
        let records = world["records"]?.array?.map { record -> JSON in
            guard record["kind"] == "issuer", record["id"]?.string == issuerID, let document = record["document"] else {
                return record
            }
            let keys = document["keys"]?.array ?? []
            return record.replacing("document", document.replacing("keys", .array(keys + [key])))
        }
        let reply = try await control("POST", "/v1/import", world.replacing("records", .array(records ?? [])))
        try #require(reply.status == 204, "\(reply.summary)")
    }

    /// Changes each key of the issuer's document, or adds one.
    fileprivate func changeKeys(
        _ issuerID: String = "DEMOBANK01",
        adding key: JSON? = nil,
        _ change: (JSON) -> JSON = { $0 }
    ) async throws {
        let keys = try await control("GET", "/v1/issuers/\(issuerID)")["keys"].array ?? []
        try await changeIssuer(issuerID, [("keys", .array(keys.map(change) + (key.map { [$0] } ?? [])))])
    }
}

import Core
import Crypto
import SandboxTesting
import Testing
import Wire

/// `login`: every rule of an issuer token, each with its own diagnosis.
struct LoginTests {
    /// A sandbox with a configured phone.
    private func withPhone(_ body: (TestSandbox, String) async throws -> Void) async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let reply = try await sandbox.configure(phone, [("card-visa", "2718")])
            #expect(reply.status == 200)
            try await body(sandbox, phone)
        }
    }

    @Test func `a bound token opens a session for one hour`() async throws {
        try await withPhone { sandbox, phone in
            let bound = try await sandbox.bindingHash(phone)
            #expect(bound["expiresAt"] == "2030-01-01T00:05:00Z")
            let token = try TestIssuer(sandbox).token(cbp: bound["bindingHash"].string)
            let reply = try await sandbox.login(phone, [token])
            #expect(reply.status == 200)
            #expect(reply["expiresIn"] == 3600)
            #expect(reply["issuers"] == ["DEMOBANK01"])
            let session = try #require(reply["sessionToken"].string)
            #expect(try await sandbox.d1("GET", "pass-entries", session).status == 200)
            sandbox.clock.advance(seconds: 3_600)
            let late = try await sandbox.d1("GET", "pass-entries", session)
            #expect((late.status, late["code"], late.diagnosis.first ?? "") == (401, 10005, "D1_SESSION_EXPIRED"))
        }
    }

    struct Algorithm: CustomTestStringConvertible {
        let algorithm: JWSAlgorithm
        var testDescription: String { algorithm.rawValue }

        var pem: String {
            switch algorithm.keyKind {
            case .rsa: D1TestKeys.rsa
            case .p256: D1TestKeys.p256
            case .p384: D1TestKeys.p384
            case .p521: D1TestKeys.p521
            case .ed25519: D1TestKeys.ed25519
            }
        }
    }

    @Test(arguments: JWSAlgorithm.allCases.map(Algorithm.init))
    func `each of the nine algorithms logs in with a second key of the issuer`(_ case: Algorithm) async throws {
        try await withPhone { sandbox, phone in
            let key = try PrivateKey(pem: `case`.pem)
            try await sandbox.addIssuerKey(key.publicKey, kid: "rotated")
            let hash = try await sandbox.bindingHash(phone)["bindingHash"].string
            let token = try TestIssuer(sandbox).token(cbp: hash, algorithm: `case`.algorithm, key: key, kid: "rotated")
            #expect(try await sandbox.login(phone, [token]).status == 200)
            // The key before it stays good.
            let again = try await sandbox.bindingHash(phone)["bindingHash"].string
            #expect(try await sandbox.login(phone, [try TestIssuer(sandbox).token(cbp: again)]).status == 200)
        }
    }

    struct Claim: CustomTestStringConvertible {
        let changes: [(String, JSON)]
        let diagnosis: String
        var testDescription: String { diagnosis }

        init(_ name: String, _ value: JSON, _ diagnosis: String) {
            changes = [(name, value)]
            self.diagnosis = diagnosis
        }

        static let all = [
            Claim("iss", .null, "D1_ISS_MISSING"), Claim("iss", "NOBANK0000", "D1_ISS_UNKNOWN"),
            Claim("iss", 7, "D1_CLAIM_TYPE"), Claim("sub", .null, "D1_SUB_MISSING"),
            Claim("sub", "consumer ana  beto", "D1_SUB_FORM"), Claim("sub", "consumer-nobody", "D1_CONSUMER_UNKNOWN"),
            Claim("aud", .null, "D1_AUD_MISSING"), Claim("aud", "https://elsewhere.test", "D1_AUD_MISMATCH"),
            Claim("aud", ["https://elsewhere.test"], "D1_AUD_MISMATCH"), Claim("aud", 1, "D1_CLAIM_TYPE"),
            Claim("scope", .null, "D1_SCOPE_MISSING"), Claim("scope", "digibank:ecommerce", "D1_SCOPE_UNKNOWN"),
            Claim("exp", .null, "JWT_EXP_MISSING"), Claim("exp", 1_893_455_000, "JWT_EXPIRED"),
            Claim("exp", 1_893_456_300_000, "JWT_EXP_MILLISECONDS"), Claim("iat", .null, "JWT_IAT_MISSING"),
            Claim("iat", 1_893_456_200, "JWT_IAT_FUTURE"), Claim("jti", .null, "D1_JTI_MISSING"),
            Claim("jti", "", "D1_JTI_FORM"), Claim("cbp", .null, "CBP_MISSING"), Claim("cbp", "a b", "CBP_FORM"),
            Claim("cbp", "bm90LW1hZGUtaGVyZQ", "CBP_UNKNOWN"), Claim("cbp", 5, "CBP_FORM"),
        ]
    }

    @Test(arguments: Claim.all)
    func `a claim that breaks its rule is refused by name`(_ claim: Claim) async throws {
        try await withPhone { sandbox, phone in
            let hash = try await sandbox.bindingHash(phone)["bindingHash"].string
            let issuer = TestIssuer(sandbox)
            let refused = try await sandbox.login(phone, [try issuer.token(cbp: hash, changes: claim.changes)])
            #expect(refused.status == 401)
            #expect(refused.diagnosis.first == claim.diagnosis)
            if claim.diagnosis.hasPrefix("CBP_") {
                #expect(refused["name"] == "invalidBindingHash")
                #expect(refused["code"] == .null)
            } else {
                #expect(refused["code"] == 20001)
                #expect(refused["cause"]["httpStatus"] == 401)
            }
            // A refused login spends nothing.
            #expect(try await sandbox.login(phone, [try issuer.token(cbp: hash)]).status == 200)
        }
    }

    @Test func `scope may hold more, aud may be a list, sub several consumers`() async throws {
        try await withPhone { sandbox, phone in
            let hash = try await sandbox.bindingHash(phone)["bindingHash"].string
            let token = try TestIssuer(sandbox).token(
                sub: "consumer-ana consumer-beto",
                cbp: hash,
                changes: [
                    ("aud", ["https://x.test", "https://d1.sandbox.test/oidc/DEMOBANK01"]),
                    ("scope", "digibank:ecommerce digibank:mobilebanking"),
                ]
            )
            #expect(try await sandbox.login(phone, [token]).status == 200)
        }
    }

    @Test func `a consumer who is not active is refused as such`() async throws {
        try await withPhone { sandbox, phone in
            try await sandbox.change { world in
                try world.store.put(Consumer(issuerID: "DEMOBANK01", consumerID: "consumer-ana", state: .inactive))
            }
            let hash = try await sandbox.bindingHash(phone)["bindingHash"].string
            let reply = try await sandbox.login(phone, [try TestIssuer(sandbox).token(cbp: hash)])
            #expect((reply.status, reply["code"]) == (400, 10010))
            #expect(reply.diagnosis == ["D1_CONSUMER_NOT_ACTIVE"])
        }
    }

    @Test func `two tokens for one issuer, none, and what is not a list are invalid arguments`() async throws {
        try await withPhone { sandbox, phone in
            let issuer = TestIssuer(sandbox)
            let hash = try await sandbox.bindingHash(phone)["bindingHash"].string
            let two = [try issuer.token(cbp: hash), try issuer.token(sub: "consumer-beto", cbp: hash)]
            for (tokens, code) in [(two, "D1_ISSUER_TOKEN_TWICE"), ([], "D1_ISSUER_TOKENS_EMPTY")] {
                let reply = try await sandbox.login(phone, tokens)
                #expect((reply.status, reply["code"]) == (400, 60002))
                #expect(reply.diagnosis.first == code)
            }
            let body: JSON = [
                "deviceId": .string(phone), "application": .string(TestSandbox.walletExtensionUI),
                "context": "extension", "issuerTokens": .string(two[0]),
            ]
            let reply = try await sandbox.api("POST", "/d1/client/v1/login", body)
            #expect((reply.status, reply["code"]) == (400, 60002))
            #expect(reply.diagnosis.first == "ISSUER_TOKENS_WRONG_TYPE")
        }
    }

    @Test func `one bad token refuses all of them`() async throws {
        try await withPhone { sandbox, phone in
            let hash = try await sandbox.bindingHash(phone)["bindingHash"].string
            let good = try TestIssuer(sandbox).token(cbp: hash)
            let bad = try TestIssuer(sandbox, "DEMOBANK02").token(changes: [("aud", "https://elsewhere.test")])
            let refused = try await sandbox.login(phone, [good, bad])
            #expect(refused.diagnosis == ["D1_AUD_MISMATCH"])
            let both = try await sandbox.login(phone, [good, try TestIssuer(sandbox, "DEMOBANK02").token()])
            #expect(both.status == 200)
            #expect(both["issuers"] == ["DEMOBANK01", "DEMOBANK02"])
        }
    }

    @Test func `after logout the session is unknown`() async throws {
        try await withPhone { sandbox, phone in
            let session = try await sandbox.session(phone)
            #expect(try await sandbox.d1("POST", "logout", session).status == 204)
            let reply = try await sandbox.d1("GET", "pass-entries", session)
            #expect((reply.status, reply["code"]) == (401, 10005))
            let none = try await sandbox.api("GET", "/d1/client/v1/pass-entries")
            #expect((none.status, none["code"], none["name"]) == (401, 10005, "notLoggedIn"))
        }
    }
}

extension TestSandbox {
    /// Registers one more key for issuer tokens.
    func addIssuerKey(_ key: PublicKey, kid: String, issuerID: String = "DEMOBANK01") async throws {
        let issuer = try await control("GET", "/v1/issuers/\(issuerID)").json
        let added: JSON = ["use": "issuerToken", "kid": .string(kid), "pem": .string(key.pem)]
        let keys = JSON.array((issuer["keys"]?.array ?? []) + [added])
        let body = issuer.replacing("networkKeys", .null).replacing("keys", keys)
        let reply = try await control("PUT", "/v1/issuers/\(issuerID)", body)
        #expect(reply.status == 200)
    }
}

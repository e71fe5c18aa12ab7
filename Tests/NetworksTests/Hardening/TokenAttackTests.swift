import Core
import Crypto
import SandboxTesting
import Testing
import Wire

/// Attacks on tokens, sent to the faces that take tokens: TPC's authorization code, D1's issuer token and D1's
/// encrypted card. All attacks there are: `CryptoTests`, JWSAttackTests and JWEAttackTests.
struct TokenAttackTests {
    /// One way to make a token out of a good one.
    struct Attack: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let code: String
        /// TPC tells a bad form (112) from what does not authenticate (401).
        let isForm: Bool
        let forge: @Sendable (Token) throws -> String
    }

    /// The good token taken apart, and the key that the issuer registered for it.
    struct Token: Sendable {
        let header: JSON
        let claims: JSON
        let signature: String
        let algorithm: JWSAlgorithm
        let key: PrivateKey

        init(_ text: String, _ algorithm: JWSAlgorithm, _ key: PrivateKey) throws {
            let parts = text.split(separator: ".").map(String.init)
            header = try JSON.parse(Base64.decode(parts[0], .url))
            claims = try JSON.parse(Base64.decode(parts[1], .url))
            signature = parts[2]
            (self.algorithm, self.key) = (algorithm, key)
        }

        /// Signed over exactly these texts.
        func signed(header: String? = nil, claims: String? = nil, by other: PrivateKey? = nil) throws -> String {
            let texts = [header ?? self.header.text, claims ?? self.claims.text]
            let input = texts.map { Base64.encode(Array($0.utf8), .url) }.joined(separator: ".")
            let signature = try JWSSigner.signature(of: Array(input.utf8), algorithm, key: other ?? key)
            return "\(input).\(Base64.encode(signature, .url))"
        }

        func signed(header name: String, _ value: JSON) throws -> String {
            try signed(header: header.replacing(name, value).text)
        }

        /// A claim in the text given, which need not be JSON.
        func signed(claim name: String, _ text: String) throws -> String {
            let others = claims.without(name).text.dropFirst()
            return try signed(claims: "{\"\(name)\":\(text),\(others)")
        }
    }

    private static func form(
        _ what: String,
        _ code: String,
        _ forge: @escaping @Sendable (Token) throws -> String
    )
        -> Attack
    { Attack(testDescription: what, code: code, isForm: true, forge: forge) }

    private static func attack(
        _ what: String,
        _ code: String,
        _ forge: @escaping @Sendable (Token) throws -> String
    )
        -> Attack
    { Attack(testDescription: what, code: code, isForm: false, forge: forge) }

    static let attacks: [Attack] = [
        attack("none", "JWT_ALG_NONE") { token in
            let parts = try token.signed(header: "alg", "none").split(separator: ".")
            return "\(parts[0]).\(parts[1])."
        },
        attack("None", "JWT_ALG_NONE") { token in
            let parts = try token.signed(header: "alg", "None").split(separator: ".")
            return "\(parts[0]).\(parts[1])."
        },
        attack("NONE, signed", "JWT_ALG_NONE") { try $0.signed(header: "alg", "NONE") },
        attack("NoNe, signed", "JWT_ALG_NONE") { try $0.signed(header: "alg", "NoNe") },
        attack("public key as secret", "JWT_ALG_HMAC") { token in
            let parts = try token.signed(header: "alg", "HS256").split(separator: ".")
            let input = "\(parts[0]).\(parts[1])"
            let secret = SecretBytes(Array(token.key.publicKey.pem.utf8))
            return "\(input).\(Base64.encode(HMAC.sha256(Array(input.utf8), key: secret), .url))"
        },
        attack("public key's DER as secret", "JWT_ALG_HMAC") { token in
            let parts = try token.signed(header: "alg", "HS256").split(separator: ".")
            let input = "\(parts[0]).\(parts[1])"
            let secret = SecretBytes(token.key.publicKey.der)
            return "\(input).\(Base64.encode(HMAC.sha256(Array(input.utf8), key: secret), .url))"
        },
        attack("jwk", "JWT_HEADER_JWK") { token in
            let own = try token.otherKey()
            return try token.signed(header: token.header.replacing("jwk", own.publicKey.jwk).text, by: own)
        },
        attack("jku", "JWT_HEADER_JKU") { try $0.signed(header: "jku", "https://127.0.0.1:1/jwks") },
        attack("x5u", "JWT_HEADER_X5U") { try $0.signed(header: "x5u", "file:///etc/hostname") },
        attack("x5c", "JWT_HEADER_X5C") { try $0.signed(header: "x5c", ["MIIB"]) },
        attack("crit", "JWT_CRIT") { try $0.signed(header: "crit", ["b64"]) },
        attack("path as kid", "JWT_KID_UNKNOWN") { try $0.signed(header: "kid", "../../dev/null") },
        attack("kid a list", "JWT_HEADER_MEMBER_TYPE") { try $0.signed(header: "kid", ["a"]) },
        attack("another key", "JWT_SIGNATURE_INVALID") { try $0.signed(by: try $0.otherKey()) },
        attack("no signature", "JWT_SIGNATURE_MISSING") { token in
            let parts = try token.signed().split(separator: ".")
            return "\(parts[0]).\(parts[1])."
        },
        attack("a claim twice", "JWT_DUPLICATE_CLAIM") { token in
            let sub = token.claims["sub"] ?? .null
            return try token.signed(claims: "{\"s\\u0075b\":\(sub.text),\(token.claims.text.dropFirst())")
        },
        attack("exp in milliseconds", "JWT_EXP_MILLISECONDS") { try $0.signed(claim: "exp", "1893456300000") },
        attack("exp as a text of digits", "JWT_EXP_NOT_NUMBER") { try $0.signed(claim: "exp", "\"1893456300\"") },
        attack("exp as a date", "JWT_EXP_NOT_NUMBER") { try $0.signed(claim: "exp", "\"2030-01-01T00:05:00Z\"") },
        attack("exp below zero", "JWT_EXP_NOT_NUMBER") { try $0.signed(claim: "exp", "-1") },
        form("exp beyond 2^53", "JWT_CLAIMS_JSON") { try $0.signed(claim: "exp", "18446744073709551616") },
        form("exp of 400 digits", "JWT_CLAIMS_JSON") {
            try $0.signed(claim: "exp", String(repeating: "9", count: 400))
        },
        form("exp beyond all", "JWT_CLAIMS_JSON") { try $0.signed(claim: "exp", "1e400") },
        form("a header member twice", "JWT_HEADER_DUPLICATE") { token in
            try token.signed(header: "{\"\\u0061lg\":\"none\",\(token.header.text.dropFirst())")
        },
        form("a deep header", "JWT_HEADER_JSON") { token in
            let deep = String(repeating: "[", count: 60) + String(repeating: "]", count: 60)
            return try token.signed(header: "{\"a\":\(deep),\(token.header.text.dropFirst())")
        },
        form("a part more", "JWT_PARTS") { "\(try $0.signed()).e30" },
        form("five parts", "JWT_IS_JWE") { "\(try $0.signed()).e30.e30" },
        form("cut", "JWT_SEGMENT_LENGTH") { token in
            let parts = try token.signed().split(separator: ".")
            // Any length but 1 beyond a multiple of 4 is possible.
            let header = parts[0].dropLast((parts[0].count + 3) % 4)
            return "\(header).\(parts[1]).\(parts[2])"
        },
        form("padded", "JWT_PADDING") { "\(try $0.signed())=" },
    ]

    @Test(arguments: attacks) func `row 37: TPC refuses it by name`(_ attack: Attack) async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox)
            let body = try sandbox.passRequest(begun.session, begun.card, begun.network)
            let issuer = TestIssuer(sandbox)
            let good = body["authorizationCode"]?.string ?? ""
            let forged = try attack.forge(Token(good, .rs256, issuer.authorizationKey()))
            let changed = body.replacing("authorizationCode", .string(forged))
            let reply = try await sandbox.tpc("generateAddPaymentPassRequest", changed)
            #expect(reply.status == (attack.isForm ? 400 : 401), "\(reply.summary)")
            #expect(reply.json["code"] == (attack.isForm ? 112 : 401))
            #expect(reply.diagnosis.first == attack.code)
            #expect(try await sandbox.control("GET", "/v1/cards/test-visa").status == 404)
        }
    }

    @Test(arguments: attacks) func `row 37: D1's login refuses it by name`(_ attack: Attack) async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            _ = try await sandbox.configure(phone, [("card-visa", "2718")])
            let issuer = TestIssuer(sandbox)
            let good = try issuer.token(cbp: try await sandbox.bindingHash(phone)["bindingHash"].string)
            let forged = try attack.forge(Token(good, .es256, issuer.tokenKey()))
            let reply = try await sandbox.login(phone, [forged])
            #expect(reply.status == 401, "\(reply.summary)")
            #expect(reply.diagnosis.first == attack.code)
            #expect(reply["sessionToken"] == .null)
            // The forged token spends nothing: the good one still logs in.
            #expect(try await sandbox.login(phone, [good]).status == 200)
        }
    }

    /// Signed rightly, and with a key that a set at that address might hold.
    @Test(arguments: ["jku", "x5u"]) func `row 37: an address in the token is never called`(
        _ member: String
    ) async throws {
        let listener = try SilentListener()
        let url = JSON.string("http://127.0.0.1:\(listener.port)/keys")
        try await withSandbox { sandbox in
            let issuer = TestIssuer(sandbox)
            let begun = try await Provisioning.begin(sandbox)
            let body = try sandbox.passRequest(begun.session, begun.card, begun.network)
            for kid in ["demobank01-auth-1", "unknown"] {
                let header = JSONObject([(member, url)])
                let code = try issuer.code(sub: begun.card.reference, kid: kid, header: header)
                let reply = try await sandbox.tpc(
                    "generateAddPaymentPassRequest",
                    body.replacing("authorizationCode", .string(code))
                )
                #expect(reply.status == 401 && reply.diagnosis.contains("JWT_HEADER_\(member.uppercased())"))
            }
            let phone = try await sandbox.device()
            _ = try await sandbox.configure(phone, [("card-visa", "2718")])
            let hash = try await sandbox.bindingHash(phone)["bindingHash"].string
            let token = try issuer.token(cbp: hash, header: JSONObject([(member, url)]))
            #expect(try await sandbox.login(phone, [token]).status == 401)
        }
        #expect(!listener.wasCalled)
    }

    /// A token has 16 KiB at most; a longer text is not even read as one, and a longer body is not read at all.
    @Test(arguments: [
        (20_000, 400, "JWT_TOO_LARGE"), (300_000, 400, "AUTHORIZATION_CODE_MALFORMED"),
        (1 << 20, 413, "BODY_TOO_LARGE"),
    ])
    func `a header that is too large is refused by its length`(
        _ length: Int,
        _ status: Int,
        _ code: String
    ) async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox)
            let body = try sandbox.passRequest(begun.session, begun.card, begun.network)
            let kid = String(repeating: "k", count: length)
            let header = Base64.encode(Array(#"{"alg":"RS256","kid":"\#(kid)"}"#.utf8), .url)
            let changed = body.replacing("authorizationCode", .string("\(header).e30.AAAA"))
            let reply = try await sandbox.tpc("generateAddPaymentPassRequest", changed)
            #expect((reply.status, reply.diagnosis) == (status, [code]), "\(reply.summary)")
        }
    }

    /// Header members of a JWE; what it opens into does not matter.
    @Test(arguments: [
        ("alg", "RSA1_5", "JWE_ALG_RSA1_5"), ("alg", "PBES2-HS512+A256KW", "JWE_ALG_PBES2"),
        ("alg", "none", "JWE_ALG_NOT_ALLOWED"), ("alg", "dir", "JWE_ALG_NOT_ALLOWED"),
        ("alg", "ECDH-ES+A256KW", "JWE_ALG_KEY_WRAP"), ("enc", "A128CBC-HS256", "JWE_ENC_NOT_ALLOWED"),
        ("zip", "DEF", "JWE_ZIP"), ("jku", "https://127.0.0.1:1/", "JWE_KEY_REFERENCE"),
        ("x5u", "file:///etc/hostname", "JWE_KEY_REFERENCE"), ("x5c", "MIIB", "JWE_KEY_REFERENCE"),
        ("kid", "../D1-ENC-1", "JWE_KID_UNKNOWN"),
    ])
    func `rows 51, 52 and 91: D1 refuses an encrypted card whose header attacks`(
        _ member: String,
        _ value: String,
        _ code: String
    ) async throws {
        try await withSandbox { sandbox in
            let recipient = try PublicKey(pem: try sandbox.keyFile("d1/encryption.pub.pem"))
            let card: JSON = ["pan": "4761731000000043", "exp": "1230"]
            let text = try JWESealer.seal(
                card.bytes,
                to: recipient,
                kid: "D1-ENC-1",
                header: JSONObject([(member, .string(value)), ("p2c", 2_147_483_647)])
            )
            let bearer = try await sandbox.bearer()
            let reply = try await sandbox.banking(
                "PUT",
                "v2/issuers/DEMOBANK01/cards/card-new",
                bearer,
                ["consumerId": "consumer-ana", "cardProductId": "gold", "encryptedData": .string(text)]
            )
            #expect(reply.status == 400)
            #expect(reply.diagnosis == [code])
        }
    }
}

extension TokenAttackTests.Token {
    /// A key of the same kind that nobody registered.
    fileprivate func otherKey() throws -> PrivateKey {
        algorithm == .es256 ? try PrivateKey.generateP256() : try PrivateKey.generateRSA(bits: 2_048)
    }
}

import Testing
import Wire

@testable import Crypto

/// Keys of every kind, and tokens made with them.
struct TokenFixture {
    let rsa: PrivateKey
    let otherRSA: PrivateKey
    let p256: PrivateKey
    let p384: PrivateKey
    let p521: PrivateKey
    let ed25519: PrivateKey
    let claims: JSON = ["iss": "DEMOBANK01", "sub": "REF-1", "exp": 1_700_000_300, "iat": 1_700_000_000]

    init() throws {
        rsa = try PrivateKey(pem: KeyVectors.rsa)
        otherRSA = try PrivateKey(pem: KeyVectors.otherRSA)
        p256 = try PrivateKey(pem: KeyVectors.p256)
        p384 = try PrivateKey(pem: KeyVectors.p384)
        p521 = try PrivateKey(pem: KeyVectors.p521)
        ed25519 = try PrivateKey(pem: KeyVectors.ed25519)
    }

    func key(for algorithm: JWSAlgorithm) -> PrivateKey {
        switch algorithm.keyKind {
        case .rsa: rsa
        case .p256: p256
        case .p384: p384
        case .p521: p521
        case .ed25519: ed25519
        }
    }

    /// One RSA and one P-256 key, by name.
    var keys: [VerificationKey] {
        [VerificationKey(kid: "r1", key: rsa.publicKey), VerificationKey(kid: "e1", key: p256.publicKey)]
    }

    var verifier: JWSVerifier { JWSVerifier(algorithms: [.rs256, .es256], keys: keys) }

    /// The codes of what refuses `token`.
    func codes(_ token: String, _ verifier: JWSVerifier? = nil) -> [String] {
        (verifier ?? self.verifier).verify(token, field: "t").failures.compactMap { $0.code?.name }
    }

    /// A token with any header and claims text, signed RS256 by `key`.
    func token(header: String, claims: String, key: PrivateKey? = nil) throws -> String {
        let input = Base64.encode(Array(header.utf8), .url) + "." + Base64.encode(Array(claims.utf8), .url)
        let signature = try JWSSigner.signature(of: Array(input.utf8), .rs256, key: key ?? rsa)
        return input + "." + Base64.encode(signature, .url)
    }
}

struct JWSTests {
    @Test(arguments: JWSAlgorithm.allCases)
    func `each algorithm verifies what it signed and nothing bent`(_ algorithm: JWSAlgorithm) throws {
        let fixture = try TokenFixture()
        let key = fixture.key(for: algorithm)
        let token = try JWSSigner.sign(fixture.claims, algorithm, key: key, kid: "k")
        let verifier = JWSVerifier(algorithms: [algorithm], keys: [VerificationKey(kid: "k", key: key.publicKey)])
        let checked = verifier.verify(token, field: "t")
        #expect(checked.isAccepted, "\(checked.failures)")
        #expect(checked.value?.claims["sub"]?.string == "REF-1")
        var bytes = Array(token.utf8)
        bytes[bytes.count - 10] = bytes[bytes.count - 10] == 0x41 ? 0x42 : 0x41
        #expect(fixture.codes(String(decoding: bytes, as: UTF8.self), verifier) == ["JWT_SIGNATURE_INVALID"])
    }

    @Test func `the ES256 token of RFC 7515, appendix A_3, verifies`() throws {
        let key = try PublicKey(jwk: [
            "kty": "EC", "crv": "P-256", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
            "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
        ])
        let token =
            "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290"
            + "Ijp0cnVlfQ.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
        let verifier = JWSVerifier(algorithms: [.es256], keys: [VerificationKey(kid: nil, key: key)])
        #expect(verifier.verify(token, field: "t").isAccepted)
    }

    @Test func `each way not to be a token has its own code and kind`() throws {
        let fixture = try TokenFixture()
        let good = try JWSSigner.sign(fixture.claims, .rs256, key: fixture.rsa, kid: "r1")
        let parts = good.split(separator: ".").map(String.init)
        let header = #"{"alg":"RS256","kid":"r1"}"#
        let join = { (parts: [String]) in parts.joined(separator: ".") }
        let cases: [(String, String, String?)] = [
            ("good", good, nil), ("empty", "", "JWT_EMPTY"), ("two parts", join(Array(parts.prefix(2))), "JWT_PARTS"),
            ("five parts", "a.b.c.d.e", "JWT_IS_JWE"), ("JSON", "{\"payload\":\"\"}", "JWT_JSON_SERIALIZATION"),
            ("Bearer", "Bearer " + good, "JWT_BEARER_PREFIX"), ("line break", good + "\n", "JWT_WHITESPACE"),
            ("space inside", parts[0] + ". " + parts[1] + "." + parts[2], "JWT_WHITESPACE"),
            ("padding", join([parts[0] + "=", parts[1], parts[2]]), "JWT_PADDING"),
            ("standard", join([parts[0], "+/" + parts[1], parts[2]]), "JWT_STANDARD_ALPHABET"),
            ("alphabet", join([parts[0], "*" + parts[1], parts[2]]), "JWT_ALPHABET"),
            ("length", join(["A", parts[1], parts[2]]), "JWT_SEGMENT_LENGTH"),
            ("bits", join(["AB", parts[1], parts[2]]), "JWT_TRAILING_BITS"),
            ("no claims", join([parts[0], "", parts[2]]), "JWT_EMPTY_SEGMENT"),
            ("too large", String(repeating: "A", count: 16_385), "JWT_TOO_LARGE"),
            ("header text", try fixture.token(header: "hello", claims: "{}"), "JWT_HEADER_JSON"),
            ("header array", try fixture.token(header: "[]", claims: "{}"), "JWT_HEADER_NOT_OBJECT"),
            (
                "header twice", try fixture.token(header: #"{"alg":"RS256","alg":"RS256"}"#, claims: "{}"),
                "JWT_HEADER_DUPLICATE"
            ),
            ("claims text", try fixture.token(header: header, claims: "hello"), "JWT_CLAIMS_JSON"),
            ("claims array", try fixture.token(header: header, claims: "[]"), "JWT_CLAIMS_NOT_OBJECT"),
        ]
        for (name, token, code) in cases {
            let failures = fixture.verifier.verify(token, field: "t").failures
            #expect(failures.first?.code?.name == code, "\(name)")
            #expect(code == nil || failures.first?.code?.kind == .malformed, "\(name)")
        }
        let twice = try fixture.token(header: header, claims: #"{"sub":"a","sub":"b"}"#)
        let failure = fixture.verifier.verify(twice, field: "t").failures.first
        #expect(failure?.code == JWTFault.duplicateClaim.code && failure?.code?.kind == .unauthenticated)
        let lenient = JWSParser(acceptsSlips: true)
        #expect(lenient.parse(good + "\n", field: "t").isAccepted)
        #expect(lenient.parse(join([parts[0] + "=", parts[1], parts[2]]), field: "t").isAccepted)
        let padded = fixture.verifier.verify(join([parts[0], parts[1] + "=", parts[2]]), field: "t").failures.first
        #expect(padded?.evidence?.contains("claims, character \(parts[1].count) ") == true)
    }

    @Test func `each forged or mistaken token is refused by name`() throws {
        let fixture = try TokenFixture()
        let sign = { (algorithm: JWSAlgorithm, kid: String?, extra: [(String, JSON)]) in
            try JWSSigner.sign(
                fixture.claims,
                algorithm,
                key: fixture.key(for: algorithm),
                kid: kid,
                header: JSONObject(extra)
            )
        }
        let good = try sign(.rs256, "r1", [])
        let input = good.split(separator: ".").prefix(2).joined(separator: ".")
        let es = try sign(.es256, "e1", [])
        let esInput = es.split(separator: ".").prefix(2).joined(separator: ".")
        let der = try fixture.p256.sign(Array(esInput.utf8), .ecdsa(.sha256))
        let ps = try fixture.rsa.sign(Array(input.utf8), .rsaPSS(.sha256))
        let foreign = try JWSSigner.sign(fixture.claims, .rs256, key: fixture.otherRSA, kid: "r1")
        let cases: [(String, String, [String])] = [
            ("good", good, []), ("good ES256", es, []),
            ("none", try sign(.rs256, "r1", [("alg", "none")]), ["JWT_ALG_NONE"]),
            ("NONE, unsigned", Base64.encode(Array(#"{"alg":"NONE"}"#.utf8), .url) + ".e30.", ["JWT_ALG_NONE"]),
            ("HMAC", try sign(.rs256, "r1", [("alg", "HS256")]), ["JWT_ALG_HMAC"]),
            ("not allowed", try sign(.ps256, "r1", []), ["JWT_ALG_NOT_ALLOWED"]),
            ("lower case", try sign(.rs256, "r1", [("alg", "rs256")]), ["JWT_ALG_NOT_ALLOWED"]),
            ("no alg", try fixture.token(header: #"{"kid":"r1"}"#, claims: "{}"), ["JWT_ALG_MISSING"]),
            ("alg number", try sign(.rs256, "r1", [("alg", 5)]), ["JWT_HEADER_MEMBER_TYPE"]),
            ("typ", try sign(.rs256, "r1", [("typ", "at+jwt")]), ["JWT_TYP"]),
            ("crit", try sign(.rs256, "r1", [("crit", ["exp"])]), ["JWT_CRIT"]),
            ("jwk", try sign(.rs256, "r1", [("jwk", fixture.rsa.publicKey.jwk)]), ["JWT_HEADER_JWK"]),
            ("jku", try sign(.rs256, "r1", [("jku", "http://x")]), ["JWT_HEADER_JKU"]),
            ("x5u", try sign(.rs256, "r1", [("x5u", "http://x")]), ["JWT_HEADER_X5U"]),
            ("x5c", try sign(.rs256, "r1", [("x5c", [])]), ["JWT_HEADER_X5C"]),
            ("kid unknown", try sign(.rs256, "r9", []), ["JWT_KID_UNKNOWN"]),
            ("kid of another kind", try sign(.rs256, "e1", []), ["JWT_KEY_MISMATCH"]),
            ("no signature", input + ".", ["JWT_SIGNATURE_MISSING"]),
            ("DER", esInput + "." + Base64.encode(der, .url), ["JWT_SIGNATURE_DER"]),
            ("short", input + ".AAAA", ["JWT_SIGNATURE_LENGTH"]),
            ("PSS", input + "." + Base64.encode(ps, .url), ["JWT_SIGNATURE_INVALID"]),
            ("foreign", foreign, ["JWT_SIGNATURE_INVALID"]),
        ]
        for (name, token, expected) in cases { #expect(fixture.codes(token) == expected, "\(name)") }
        let hint = fixture.verifier.verify(input + "." + Base64.encode(ps, .url), field: "t").failures.first?.hint
        #expect(hint?.contains("PS256") == true)
        let unknown = fixture.verifier.verify(try sign(.rs256, "r9", []), field: "t").failures.first
        #expect(unknown?.evidence == "kid r9; known: e1, r1")
        #expect(unknown?.hint?.contains("kid r1") == true)
    }

    @Test func `a token without kid follows the policy`() throws {
        let fixture = try TokenFixture()
        let token = try JWSSigner.sign(fixture.claims, .rs256, key: fixture.rsa)
        let strict = JWSVerifier(algorithms: [.rs256], keys: fixture.keys, kidPolicy: .required)
        #expect(fixture.codes(token, strict) == ["JWT_KID_MISSING"])
        let several = fixture.verifier.verify(token, field: "t")
        #expect(several.isAccepted)
        #expect(several.checks.contains { $0.passed && $0.code == JWTFault.kidMissing.code })
        let one = JWSVerifier(algorithms: [.rs256], keys: [VerificationKey(kid: "r1", key: fixture.rsa.publicKey)])
        #expect(one.verify(token, field: "t").checks.allSatisfy { $0.code == nil })
        #expect(fixture.codes(token, JWSVerifier(algorithms: [.rs256], keys: [])) == ["JWT_NO_KEYS"])
        let unnamed = JWSVerifier(algorithms: [.rs256], keys: [VerificationKey(kid: nil, key: fixture.rsa.publicKey)])
        let named = try JWSSigner.sign(fixture.claims, .rs256, key: fixture.rsa, kid: "x")
        #expect(unnamed.verify(named, field: "t").isAccepted)
        let swapped = [
            VerificationKey(kid: "a", key: fixture.otherRSA.publicKey),
            VerificationKey(kid: "b", key: fixture.rsa.publicKey),
        ]
        let other = JWSVerifier(algorithms: [.rs256], keys: swapped)
        let wrong = try JWSSigner.sign(fixture.claims, .rs256, key: fixture.rsa, kid: "a")
        let failure = try #require(other.verify(wrong, field: "t").failures.first)
        #expect(failure.code == JWTFault.signatureInvalid.code && failure.hint?.contains("kid b") == true)
    }

    @Test func `no truncated or bent token is accepted`() throws {
        let fixture = try TokenFixture()
        let token = Array(try JWSSigner.sign(fixture.claims, .es256, key: fixture.p256, kid: "e1").utf8)
        var generator = SplitMix(seed: 28)
        for round in 0..<200 {
            var bent = token
            if round % 2 == 0 {
                bent.removeLast(Int.random(in: 1...token.count, using: &generator))
            } else {
                bent[Int.random(in: 0..<token.count, using: &generator)] ^=
                    1 << UInt8.random(in: 0..<7, using: &generator)
            }
            let checked = fixture.verifier.verify(String(decoding: bent, as: UTF8.self), field: "t")
            #expect(!checked.isAccepted)
        }
    }
}

import Testing
import Wire

@testable import Crypto

/// The published attacks on signed tokens, each with the code that refuses it.
struct JWSAttackTests {
    private let fixture: TokenFixture
    private let header = #"{"alg":"RS256","kid":"r1"}"#
    private let claims = #"{"sub":"REF-1"}"#

    init() throws { fixture = try TokenFixture() }

    private func input(_ header: String, _ claims: String = #"{"sub":"REF-1"}"#) -> String {
        Base64.encode(Array(header.utf8), .url) + "." + Base64.encode(Array(claims.utf8), .url)
    }

    private func expect(_ cases: [(name: String, token: String, codes: [String])]) {
        for (name, token, codes) in cases { #expect(fixture.codes(token) == codes, "\(name)") }
    }

    @Test(arguments: ["none", "None", "NONE", "nOnE"])
    func `a token that says it is not signed is refused, with and without a signature`(_ word: String) throws {
        let header = #"{"alg":"\#(word)","kid":"r1"}"#
        #expect(fixture.codes(input(header) + ".") == ["JWT_ALG_NONE"])
        #expect(fixture.codes(try fixture.token(header: header, claims: claims)) == ["JWT_ALG_NONE"])
    }

    @Test func `a public key is not a shared secret, in whatever form it is used as one`() throws {
        let key = fixture.rsa.publicKey
        let secrets = [
            Array(KeyVectors.rsaPublic.utf8), Array((KeyVectors.rsaPublic + "\n").utf8), key.der,
            Array(key.jwk["n"]?.string?.utf8 ?? "".utf8), key.jwk.bytes, [],
        ]
        for algorithm in ["HS256", "HS384", "HS512", "hs256"] {
            let input = input(#"{"alg":"\#(algorithm)","kid":"r1"}"#)
            for secret in secrets {
                let signature = HMAC.sha256(Array(input.utf8), key: SecretBytes(secret))
                #expect(fixture.codes(input + "." + Base64.encode(signature, .url)) == ["JWT_ALG_HMAC"])
            }
        }
    }

    @Test func `the name of the algorithm is taken to the letter, and it must fit the key`() throws {
        expect(
            try ["", "RS256 ", "RS256\\u0000", "rS256", "RS384", "ES256K", "EdDSA", "RSA-OAEP", "HS1"].map { name in
                let header = #"{"alg":"\#(name)","kid":"r1"}"#
                return (name, try fixture.token(header: header, claims: claims), ["JWT_ALG_NOT_ALLOWED"])
            }
        )
        let named = #"{"alg":"ES256","kid":"r1"}"#
        #expect(fixture.codes(try fixture.token(header: named, claims: claims)) == ["JWT_KEY_MISMATCH"])
    }

    @Test func `no key comes out of the token, in whatever form it is brought`() throws {
        let own = fixture.otherRSA
        let forms: [(member: String, value: JSON, code: String)] = [
            ("jwk", own.publicKey.jwk, "JWT_HEADER_JWK"), ("jwk", nil, "JWT_HEADER_JWK"),
            ("jwk", .string(own.publicKey.jwk.text), "JWT_HEADER_JWK"), ("jwk", [own.publicKey.jwk], "JWT_HEADER_JWK"),
            ("jku", "https://127.0.0.1:1/jwks", "JWT_HEADER_JKU"), ("jku", "file:///etc/hostname", "JWT_HEADER_JKU"),
            ("jku", "", "JWT_HEADER_JKU"), ("jku", ["http://x"], "JWT_HEADER_JKU"), ("jku", nil, "JWT_HEADER_JKU"),
            ("x5u", "https://127.0.0.1:1/leaf.pem", "JWT_HEADER_X5U"), ("x5u", 1, "JWT_HEADER_X5U"),
            ("x5c", ["MIIB"], "JWT_HEADER_X5C"), ("x5c", "MIIB", "JWT_HEADER_X5C"), ("x5c", nil, "JWT_HEADER_X5C"),
        ]
        for (member, value, code) in forms {
            // Signed by the key that is brought, and under the name of one that is registered.
            let extra = JSONObject([(member, value)])
            let token = try JWSSigner.sign(fixture.claims, .rs256, key: own, kid: "r1", header: extra)
            #expect(fixture.codes(token) == [code, "JWT_SIGNATURE_INVALID"], "\(member) \(value.text.prefix(30))")
            // A right signature does not make the member right.
            let signed = try JWSSigner.sign(fixture.claims, .rs256, key: fixture.rsa, kid: "r1", header: extra)
            #expect(fixture.codes(signed) == [code], "\(member) \(value.text.prefix(30))")
        }
    }

    @Test func `parts are counted, and none is left out`() throws {
        let good = try fixture.token(header: header, claims: claims)
        let parts = good.split(separator: ".").map(String.init)
        expect([
            ("fourth", good + ".e30", ["JWT_PARTS"]), ("fourth, empty", good + ".", ["JWT_PARTS"]),
            ("before", "." + good, ["JWT_PARTS"]), ("five", good + ".e30.e30", ["JWT_IS_JWE"]),
            ("two tokens", good + "." + good, ["JWT_PARTS"]), ("one", parts[0], ["JWT_PARTS"]),
            ("dots", String(repeating: ".", count: 16_384), ["JWT_PARTS"]), ("two dots", "..", ["JWT_EMPTY_SEGMENT"]),
            ("no header", ".\(parts[1]).\(parts[2])", ["JWT_EMPTY_SEGMENT"]),
        ])
    }

    @Test func `a member that is given twice is refused, however its name is written`() throws {
        let twice: [(header: String, claims: String, code: String)] = [
            (#"{"alg":"none","alg":"RS256","kid":"r1"}"#, claims, "JWT_HEADER_DUPLICATE"),
            (#"{"alg":"RS256","\u0061lg":"none","kid":"r1"}"#, claims, "JWT_HEADER_DUPLICATE"),
            (#"{"alg":"RS256","kid":"r1","kid":"e1"}"#, claims, "JWT_HEADER_DUPLICATE"),
            (header, #"{"sub":"REF-1","sub":"REF-2"}"#, "JWT_DUPLICATE_CLAIM"),
            (header, #"{"sub":"REF-1","s\u0075b":"REF-2"}"#, "JWT_DUPLICATE_CLAIM"),
            (header, #"{"a":{"b":1,"b":2}}"#, "JWT_DUPLICATE_CLAIM"),
        ]
        expect(try twice.map { ($0.code, try fixture.token(header: $0.header, claims: $0.claims), [$0.code]) })
    }

    @Test func `what is not strict JSON is refused in both parts`() throws {
        let deep = String(repeating: "[", count: 17) + String(repeating: "]", count: 17)
        let broken = [
            #"{"a":\#(deep)}"#, "{\"a\":1,}", "\u{FEFF}{}", "{} {}", #"{"a":"\ud800"}"#, #"{"exp":1e400}"#,
            #"{"exp":9007199254740993}"#, #"{"exp":99999999999999999999999999}"#, #"{"exp":1e300}"#, #"{"exp":0x10}"#,
            #"{"exp":NaN}"#, #"{"exp":01893456300}"#,
        ]
        for text in broken {
            #expect(fixture.codes(try fixture.token(header: text, claims: claims)) == ["JWT_HEADER_JSON"], "\(text)")
            #expect(fixture.codes(try fixture.token(header: header, claims: text)) == ["JWT_CLAIMS_JSON"], "\(text)")
        }
        // Deflated claims are not inflated, whatever the header says of them.
        let zip = Base64.encode(Array(#"{"alg":"RS256","kid":"r1","zip":"DEF"}"#.utf8), .url)
        let deflated = Base64.encode([0xAB, 0x56, 0x2A, 0x2E, 0x4D, 0x52, 0xB2, 0x52, 0x0A, 0x00], .url)
        let signature = try JWSSigner.signature(of: Array("\(zip).\(deflated)".utf8), .rs256, key: fixture.rsa)
        #expect(fixture.codes("\(zip).\(deflated).\(Base64.encode(signature, .url))") == ["JWT_CLAIMS_JSON"])
    }

    @Test func `an extension that must be understood is refused`() throws {
        for value in ["[]", #"["b64"]"#, #"["exp"]"#, "null", #""b64""#] {
            let header = #"{"alg":"RS256","kid":"r1","b64":false,"crit":\#(value)}"#
            #expect(fixture.codes(try fixture.token(header: header, claims: claims)) == ["JWT_CRIT"], "\(value)")
        }
    }

    @Test func `a signature of zeros, of the order or beyond the modulus is none`() throws {
        let order = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"
        let zero = String(repeating: "0", count: 64)
        let one = String(repeating: "0", count: 63) + "1"
        let input = input(#"{"alg":"ES256","kid":"e1"}"#)
        for raw in [zero + zero, order + order, zero + one, one + zero, one + one, order + one] {
            let token = input + "." + Base64.encode(try Hex.decode(raw), .url)
            #expect(fixture.codes(token) == ["JWT_SIGNATURE_INVALID"], "\(raw)")
        }
        let rsa = self.input(header)
        for byte in [0x00, 0x01, 0xFF] as [UInt8] {
            let token = rsa + "." + Base64.encode([UInt8](repeating: byte, count: 256), .url)
            #expect(fixture.codes(token) == ["JWT_SIGNATURE_INVALID"], "\(byte)")
        }
    }

    @Test func `a name of a key is a name, never a path or a query`() throws {
        for kid in ["", "../../keys/tsh/payload-2048.key.pem", "/dev/null", "x' UNION SELECT 'k", "r1\\u0000", "R1"] {
            let token = try fixture.token(header: #"{"alg":"RS256","kid":"\#(kid)"}"#, claims: claims)
            #expect(fixture.codes(token) == ["JWT_KID_UNKNOWN"], "\(kid)")
        }
        for kid in ["null", "1", #"["r1"]"#, #"{"r1":1}"#] {
            let token = try fixture.token(header: #"{"alg":"RS256","kid":\#(kid)}"#, claims: claims)
            #expect(fixture.codes(token) == ["JWT_HEADER_MEMBER_TYPE"], "\(kid)")
        }
    }

    @Test func `a header of 1 MB is refused by its length, one that just fits by what is in it`() throws {
        let long = #"{"alg":"RS256","kid":"\#(String(repeating: "k", count: 1 << 20))"}"#
        #expect(fixture.codes(input(long) + ".AAAA") == ["JWT_TOO_LARGE"])
        let kid = String(repeating: "k", count: 11_000)
        let token = try fixture.token(header: #"{"alg":"RS256","kid":"\#(kid)"}"#, claims: claims)
        let failure = try #require(fixture.verifier.verify(token, field: "t").failures.first)
        #expect(failure.code?.name == "JWT_KID_UNKNOWN")
        #expect((failure.evidence?.utf8.count ?? 0) < 200)
    }

    @Test func `base64 that was cut anywhere is refused`() throws {
        let good = try fixture.token(header: header, claims: claims)
        let parts = good.split(separator: ".").map(String.init)
        for part in 0..<3 {
            for cut in 1...4 {
                var changed = parts
                changed[part] = String(parts[part].dropLast(cut))
                let failures = fixture.verifier.verify(changed.joined(separator: "."), field: "t").failures
                #expect(failures.first?.code?.name.hasPrefix("JWT_") == true, "\(part) \(cut)")
            }
        }
    }
}

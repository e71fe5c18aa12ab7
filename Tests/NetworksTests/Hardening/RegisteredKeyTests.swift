import Crypto
import SandboxTesting
import Testing
import Wire

/// Keys that would let anybody sign, or that are not keys, are not registered for the tokens of an issuer.
struct RegisteredKeyTests {
    private static let zero = Base64.encode([UInt8](repeating: 0, count: 32), .url)
    private static let x = "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"
    private static let y = "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
    private static let modulus = Base64.encode([UInt8](repeating: 0xC5, count: 256), .url)

    private static func curve(_ x: String, _ y: String, _ name: String = "P-256") -> JSON {
        ["kty": "EC", "crv": .string(name), "x": .string(x), "y": .string(y)]
    }

    static let keys: [(what: String, use: String, jwk: JSON, evidence: String)] = [
        ("off the curve", "issuerToken", curve(x, x), "KEY_NOT_ON_CURVE"),
        ("coordinates swapped", "issuerToken", curve(y, x), "KEY_NOT_ON_CURVE"),
        ("zero point", "issuerToken", curve(zero, zero), "KEY_NOT_ON_CURVE"),
        ("another curve's name", "issuerToken", curve(x, y, "P-384"), "JWK_COORDINATE_LENGTH"),
        ("unknown curve", "issuerToken", curve(x, y, "secp256k1"), "KEY_CURVE"),
        ("shared secret", "issuerToken", ["kty": "oct", "k": "AAAA"], "KEY_SYMMETRIC_GIVEN"),
        ("private", "issuerToken", curve(x, y).replacing("d", .string(zero)), "KEY_PRIVATE_GIVEN"),
        ("short RSA", "authorizationCode", ["kty": "RSA", "n": "AQAB", "e": "AQAB"], "KEY_TOO_SMALL"),
        ("exponent 1", "authorizationCode", ["kty": "RSA", "n": .string(modulus), "e": "AQ"], "KEY_EXPONENT"),
        ("even exponent", "authorizationCode", ["kty": "RSA", "n": .string(modulus), "e": "AQAA"], "KEY_EXPONENT"),
        ("no RSA for RS256", "authorizationCode", curve(x, y), "RS256 needs an RSA key"),
    ]

    @Test(arguments: keys.indices) func `a key that is not one is refused with its reason`(_ index: Int) async throws {
        let key = Self.keys[index]
        try await withSandbox { sandbox in
            let before = try await sandbox.control("GET", "/v1/issuers/DEMOBANK01").json.without("networkKeys")
            let keys: JSON = [["use": .string(key.use), "kid": "forged", "jwk": key.jwk]]
            let reply = try await sandbox.control("PUT", "/v1/issuers/DEMOBANK01", before.replacing("keys", keys))
            #expect((reply.status, reply.text("code")) == (400, "KEY_INVALID"), "\(key.what) \(reply.summary)")
            #expect(reply.text("pointer").hasPrefix("/keys/0/"), "\(key.what)")
            #expect(reply.text("detail").contains(key.evidence), "\(key.what) \(reply.text("detail"))")
            let after = try await sandbox.control("GET", "/v1/issuers/DEMOBANK01").json.without("networkKeys")
            #expect(after == before, "\(key.what)")
        }
    }
}

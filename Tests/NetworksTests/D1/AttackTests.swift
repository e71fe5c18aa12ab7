import Core
import Crypto
import SandboxTesting
import Testing
import Wire

/// Forged and broken issuer tokens (field-cases 28, 37, 38), each refused with a diagnosis of its own.
struct AttackTests {
    enum Attack: String, CaseIterable, CustomTestStringConvertible {
        case algorithmNone = "JWT_ALG_NONE"
        case publicKeyAsSecret = "JWT_ALG_HMAC"
        case signatureDER = "JWT_SIGNATURE_DER"
        case leadingZeroLost = "JWT_SIGNATURE_LENGTH"
        case kidMissing = "JWT_KID_MISSING"
        case kidUnknown = "JWT_KID_UNKNOWN"
        case embeddedKey = "JWT_HEADER_JWK"
        case extraSegment = "JWT_PARTS"
        case milliseconds = "JWT_EXP_MILLISECONDS"
        case otherContext = "CBP_OTHER_CONTEXT"
        case otherDevice = "CBP_OTHER_DEVICE"
        case bindingSpent = "CBP_SPENT"
        case bindingExpired = "CBP_EXPIRED"
        case replayed = "JWT_JTI_REPLAYED"
        case otherKey = "JWT_SIGNATURE_INVALID"
        case keyURL = "JWT_HEADER_JKU"

        var testDescription: String { rawValue }
    }

    @Test(arguments: Attack.allCases)
    func `an attack is refused by its own name`(_ attack: Attack) async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            _ = try await sandbox.configure(phone, [("card-visa", "2718")])
            let token = try await AttackTests.token(attack, sandbox, phone)
            let reply = try await sandbox.login(phone, [token])
            #expect(reply.status == 401)
            #expect(reply.diagnosis.first == attack.rawValue)
            #expect(reply["sessionToken"] == .null)
        }
    }

    @Test func `R or S with a leading zero is accepted in its full length`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            _ = try await sandbox.configure(phone, [("card-visa", "2718")])
            let hash = try await sandbox.bindingHash(phone)["bindingHash"].string
            let token = try AttackTests.tokenWithLeadingZero(TestIssuer(sandbox), cbp: hash)
            #expect(try await sandbox.login(phone, [token]).status == 200)
        }
    }

    private static func token(_ attack: Attack, _ sandbox: TestSandbox, _ phone: String) async throws -> String {
        let issuer = TestIssuer(sandbox)
        let hash = try await sandbox.bindingHash(phone)["bindingHash"].string ?? ""
        let good = try issuer.token(cbp: hash)
        let claims = JSON.object(issuer.tokenClaims(sub: "consumer-ana", cbp: hash))
        let key = try issuer.tokenKey()
        switch attack {
        case .algorithmNone:
            return encoded(["alg": "none", "kid": "demobank01-d1-1"], claims) + "."
        case .publicKeyAsSecret:
            let input = encoded(["alg": "HS256", "kid": "demobank01-d1-1"], claims)
            let secret = SecretBytes(Array(try issuer.key("issuers/DEMOBANK01/d1.pub.pem").utf8))
            return input + "." + Base64.encode(HMAC.sha256(Array(input.utf8), key: secret), .url)
        case .signatureDER:
            let (input, signature) = try split(good)
            let half = signature.count / 2
            let der = DER.sequence(
                DER.integer(magnitude: signature.prefix(half)),
                DER.integer(magnitude: signature.suffix(half))
            )
            return input + "." + Base64.encode(der, .url)
        case .leadingZeroLost:
            let (input, signature) = try split(try tokenWithLeadingZero(issuer, cbp: hash))
            let isFirst = signature[0] == 0
            let cut = isFirst ? Array(signature.dropFirst()) : Array(signature[..<32] + signature[33...])
            return input + "." + Base64.encode(cut, .url)
        case .kidMissing:
            return try JWSSigner.sign(claims, .es256, key: key)
        case .kidUnknown: return try issuer.token(cbp: hash, kid: "somebody-else")
        case .embeddedKey:
            let own = try PrivateKey(pem: D1TestKeys.p256)
            return try issuer.token(cbp: hash, key: own, header: JSONObject([("jwk", own.publicKey.jwk)]))
        case .keyURL:
            return try issuer.token(cbp: hash, header: JSONObject([("jku", "https://127.0.0.1:1/keys")]))
        case .extraSegment: return good + ".e30"
        case .milliseconds:
            return try issuer.token(cbp: hash, changes: [("exp", .number(issuer.now.milliseconds + 300_000))])
        case .otherContext:
            let app = try await sandbox.bindingHash(phone, application: TestSandbox.application, context: "app")
            return try issuer.token(cbp: app["bindingHash"].string)
        case .otherDevice:
            let other = try await sandbox.device()
            return try issuer.token(cbp: try await sandbox.bindingHash(other)["bindingHash"].string)
        case .bindingSpent:
            #expect(try await sandbox.login(phone, [good]).status == 200)
            return try issuer.token(cbp: hash)
        case .bindingExpired:
            sandbox.clock.advance(seconds: 301)
            return try issuer.token(cbp: hash)
        case .replayed:
            #expect(try await sandbox.login(phone, [good]).status == 200)
            let jti = try JSON.parse(Base64.decode(String(good.split(separator: ".")[1]), .url))["jti"] ?? .null
            let fresh = try await sandbox.bindingHash(phone)["bindingHash"].string
            return try issuer.token(cbp: fresh, changes: [("jti", jti)])
        case .otherKey: return try issuer.token(cbp: hash, key: try PrivateKey(pem: D1TestKeys.p256))
        }
    }

    private static func encoded(_ header: JSON, _ claims: JSON) -> String {
        Base64.encode(header.bytes, .url) + "." + Base64.encode(claims.bytes, .url)
    }

    private static func split(_ token: String) throws -> (input: String, signature: [UInt8]) {
        let parts = token.split(separator: ".")
        return (parts[..<2].joined(separator: "."), try Base64.decode(String(parts[2]), .url))
    }

    /// Signs until R or S begins with a zero, about 128 times.
    private static func tokenWithLeadingZero(_ issuer: TestIssuer, cbp: String?) throws -> String {
        while true {
            let token = try issuer.token(cbp: cbp)
            let signature = try split(token).signature
            if signature[0] == 0 || signature[32] == 0 { return token }
        }
    }
}

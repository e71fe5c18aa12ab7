import Core
import Crypto
import SandboxTesting
import Testing
import Wire

/// Rows of field-cases.md about the keys that issuers put, and those that payloads are made for.
struct IssuerKeyFieldCases {
    private func put(_ sandbox: TestSandbox, _ key: JSON) async throws -> TestReply {
        try await sandbox.control("PUT", "/v1/issuers/DEMOBANK02", ["keys": [key]])
    }

    @Test func `row 112: damaged and doubled keys load, or are named`() async throws {
        try await withSandbox { sandbox in
            let pem = try sandbox.keyFile("issuers/DEMOBANK01/authorization.pub.pem")
            let other = try sandbox.keyFile("issuers/DEMOBANK02/authorization.pub.pem")
            let jwk = try PublicKey(pem: pem).jwk
            let lines = pem.split(separator: "\n").map(String.init)
            let whole = [
                pem.replacing("\n", with: "\\n"), pem.replacing("\n", with: " "), pem.replacing("\n", with: "\r"),
                pem.replacing("\n", with: "\r\n"), "\u{feff}" + pem, "\"" + pem + "\"", "text before\n" + pem,
                lines.joined(), pem + pem,
            ]
            for text in whole {
                let reply = try await put(sandbox, ["use": "authorizationCode", "pem": .string(text)])
                #expect(reply.status == 200, "\(reply.summary)")
            }
            let modulus = try Base64.decode(jwk["n"]?.string ?? "", .url)
            let signed = jwk.replacing("n", .string(Base64.encode([0] + modulus, .url)))
            #expect(try await put(sandbox, ["use": "authorizationCode", "jwk": signed]).status == 200)
            let named: [(JSON, String, String)] = [
                (["pem": .string(pem + other)], "/keys/0/pem", "KEY_SEVERAL"),
                (["jwk": ["keys": [jwk]]], "/keys/0/jwk", "JWK_SET"),
                (["jwk": jwk.replacing("e", 65_537)], "/keys/0/jwk", "JWK_MEMBER_TYPE"),
                (["jwk": jwk.replacing("n", nil)], "/keys/0/jwk", "JWK_MEMBER_MISSING"),
                (["pem": "LS0tLS1CRUdJTiBQVUJMSUMgS0VZLS0tLS0K"], "/keys/0/pem", "KEY_NOT_PEM"),
            ]
            for (key, pointer, code) in named {
                let reply = try await put(sandbox, key.adding("use", "authorizationCode"))
                #expect((reply.status, reply["pointer"].string) == (400, pointer), "\(reply.summary)")
                #expect(reply["detail"].string?.contains(code) == true, "\(reply.summary)")
            }
        }
    }

    @Test func `row 113: what a JWK says of itself must fit its entry`() async throws {
        try await withSandbox { sandbox in
            let jwk = try PublicKey(pem: try sandbox.keyFile("issuers/DEMOBANK01/authorization.pub.pem")).jwk
            let refused: [(String, JSON)] = [
                ("use", "enc"), ("use", 1), ("alg", "RSA-OAEP-256"), ("alg", "PS256"), ("alg", nil),
                ("key_ops", ["encrypt"]), ("key_ops", "verify"), ("kid", "another"), ("kid", 1),
            ]
            for (member, value) in refused {
                let key: JSON = ["use": "authorizationCode", "kid": "mine", "jwk": jwk.adding(member, value)]
                let reply = try await put(sandbox, key)
                #expect((reply.status, reply["code"]) == (400, "KEY_INVALID"), "\(member) \(value)")
                #expect(reply["pointer"].string == "/keys/0/jwk/\(member)", "\(reply.summary)")
            }
            let fitting = jwk.adding("use", "sig").adding("alg", "RS256").adding("key_ops", ["verify"])
                .adding("kid", "mine")
            #expect(try await put(sandbox, ["use": "authorizationCode", "kid": "mine", "jwk": fitting]).status == 200)
            #expect(try await put(sandbox, ["use": "authorizationCode", "jwk": fitting]).status == 200)
        }
    }

    @Test func `row 113: a token with another algorithm than its key is registered for is refused`() async throws {
        try await withSandbox { sandbox in
            let key = try PrivateKey(pem: D1TestKeys.rsa)
            let jwk = key.publicKey.jwk.adding("alg", "PS256")
            let issuer = try await sandbox.control("GET", "/v1/issuers/DEMOBANK01").json
            let keys = (issuer["keys"]?.array ?? []) + [["use": "issuerToken", "kid": "ps", "jwk": jwk]]
            let document = issuer.replacing("networkKeys", .null).replacing("keys", .array(keys))
            #expect(try await sandbox.control("PUT", "/v1/issuers/DEMOBANK01", document).status == 200)
            let phone = try await sandbox.device()
            #expect(try await sandbox.configure(phone, [("card-visa", "2718")]).status == 200)
            for (algorithm, codes) in [(JWSAlgorithm.rs256, ["JWT_KEY_MISMATCH"]), (.ps256, [])] {
                let hash = try await sandbox.bindingHash(phone)["bindingHash"].string
                let token = try TestIssuer(sandbox).token(cbp: hash, algorithm: algorithm, key: key, kid: "ps")
                let reply = try await sandbox.login(phone, [token])
                #expect(reply.diagnosis == codes, "\(reply.summary)")
            }
        }
    }

    @Test func `a rotated key has a warning, a retired one is refused by name, the last one stays`() async throws {
        try await withSandbox { sandbox in
            let payload = try TestIssuer(sandbox).payload(.visa)
            func tokens() async throws -> TestReply {
                let body: JSON = ["scheme": "VISA", "encryptedPayload": .string(payload)]
                return try await sandbox.api("POST", "/mg/tpc/DEMOBANK01/getTokens", body)
            }
            #expect(try await tokens().header("x-sandbox-notice") == nil)
            let made = try await sandbox.control("POST", "/v1/payload-keys/rotate", ["retireAfterSeconds": 60])
            #expect(made.status == 201)
            let warned = try await tokens()
            #expect((warned.status, warned.header("x-sandbox-notice")) == (200, "PAYLOAD_KEY_NOT_ACTIVE"))
            _ = try await sandbox.control("POST", "/v1/clock/advance", ["seconds": 60])
            let refused = try await tokens()
            #expect((refused.status, refused.diagnosis) == (400, ["CMS_NO_RECIPIENT"]))
            #expect(try await sandbox.told("CMS_NO_RECIPIENT").hasPrefix("retired: TSH-PAYLOAD-2048; "))
            let listed = try await sandbox.control("GET", "/v1/payload-certificates")["items"].array ?? []
            #expect(listed.map { $0["keyId"] } == [made["keyId"]])
            let last = try await sandbox.control("DELETE", "/v1/payload-keys/\(made.text("keyId"))")
            #expect((last.status, last["code"]) == (409, "PAYLOAD_KEY_LAST_ACTIVE"))
        }
    }

    @Test func `a payload key is ended by hand, and once`() async throws {
        try await withSandbox { sandbox in
            let path = "/v1/payload-keys/TSH-PAYLOAD-"
            #expect(try await sandbox.control("DELETE", path + "4096").status == 204)
            let again = try await sandbox.control("DELETE", path + "4096")
            #expect((again.status, again["code"]) == (404, "PAYLOAD_KEY_NOT_FOUND"))
            #expect(try await sandbox.control("DELETE", path + "2048").status == 409)
            #expect(try await sandbox.control("POST", "/v1/payload-keys/rotate").status == 201)
            #expect(try await sandbox.control("DELETE", path + "2048").status == 204)
            let seal = try await sandbox.control(
                "POST",
                "/v1/seal",
                ["card": ["issuerCardRefId": "x"], "keyId": "TSH-PAYLOAD-2048"]
            )
            #expect((seal.status, seal["pointer"]) == (400, "/keyId"))
        }
    }
}

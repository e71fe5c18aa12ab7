import Core
import Crypto
import Sandbox
import SandboxTesting
import Testing
import Wire

/// `/v1/issuers`, pass metadata and applications: where a bank puts its keys and its app.
struct IssuerControlTests {
    private static let issuers = "/v1/issuers"
    private static let metadata = "/v1/issuers/DEMOBANK01/pass-metadata/visa"

    /// One key pair for all tests; making one takes a while.
    private static let key = Result { try PrivateKey.generateRSA(bits: 2_048) }

    @Test func `an issuer comes back as it was put, and opens the door for its codes`() async throws {
        try await withSandbox { sandbox in
            let own = TestIssuer(sandbox, "DEMOBANK01")
            let pem = try PublicKey(pem: try own.key("issuers/DEMOBANK01/authorization.pub.pem")).pem
            let keys: JSON = [["use": "authorizationCode", "kid": "k1", "pem": .string(pem)]]
            let document: JSON = [
                "issuerId": "MYBANK0001", "name": "My Bank", "keys": keys,
                "accountRanges": [["low": "400000", "high": "400009"]],
                "policies": ["binding": "off", "onBadActivationData": "yellow", "strictness": "lenient"],
                "callbacks": ["visa": "http://x"], "d1": ["audience": ["a"], "scopes": ["s"]],
            ]
            let made = try await sandbox.control("POST", Self.issuers, document)
            #expect(made.status == 201, "\(made.summary)")
            let one = try await sandbox.control("GET", Self.issuers + "/MYBANK0001")
            #expect(one.json == made.json)
            for member in ["issuerId", "name", "keys", "accountRanges", "callbacks", "d1"] {
                #expect(one[member] == document[member], "\(member)")
            }
            let policies: JSON = [
                "binding": "off", "onBadActivationData": "yellow", "fullTokenDetails": false, "repeatIsSuccess": false,
                "standIn": false, "strictness": "lenient",
            ]
            #expect(one["policies"] == policies)
            let again = try await sandbox.control("POST", Self.issuers, document)
            #expect(Problem(again) == Problem(409, "ISSUER_EXISTS", "/issuerId"))
            #expect(try await sandbox.control("PUT", Self.issuers + "/MYBANK0001", document).status == 200)
            let list = try await sandbox.control("GET", Self.issuers)["items"].array?.compactMap {
                $0["issuerId"]?.string
            }
            #expect(Set(list ?? []) == ["DEMOBANK01", "DEMOBANK02", "MYBANK0001"])
            #expect(try await sandbox.control("DELETE", Self.issuers + "/MYBANK0001").status == 204)
            let gone = try await sandbox.control("GET", Self.issuers + "/MYBANK0001")
            #expect(Problem(gone) == Problem(404, "ISSUER_NOT_FOUND"))
        }
    }

    @Test func `a public key is taken as PEM, JWK or certificate, and comes back as it was put`() async throws {
        try await withSandbox { sandbox in
            let own = TestIssuer(sandbox)
            let pem = try own.key("issuers/DEMOBANK01/authorization.pub.pem")
            let key = try PublicKey(pem: pem)
            let builder = CertificateBuilder.payload(
                keyId: "own",
                serialNumber: [1],
                notBefore: Instant(seconds: 1_700_000_000),
                notAfter: Instant(seconds: 2_100_000_000)
            )
            let certificate = try builder.selfSigned(by: own.authorizationKey()).pem
            let forms: [(member: String, value: JSON)] = [
                ("pem", .string(pem)), ("jwk", key.jwk.adding("kid", "k1")), ("certificate", .string(certificate)),
            ]
            for (member, value) in forms {
                let entry: JSON = ["use": "authorizationCode", "kid": "k1"]
                let document: JSON = [
                    "keys": [entry.adding(member, value)], "networkKeys": ["mastercard": ["tav": []]],
                ]
                let reply = try await sandbox.control("PUT", Self.issuers + "/MYBANK0001", document)
                #expect(reply["keys"] == [entry.adding(member, value)], "\(member) \(reply.summary)")
                let stored = try await sandbox.application.worlds.read(.default) { view in
                    try view.store.record(Issuer.self, "MYBANK0001")?.verificationKeys.map(\.pem)
                }
                #expect(stored == [key.pem])
            }
        }
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let code: String
        let pointer: String
        let body: JSON
    }

    static let wrongIssuers: [Case] = [
        Case(
            testDescription: "another id",
            code: "FIELD_INVALID",
            pointer: "/issuerId",
            body: ["issuerId": "OTHER00001"]
        ),
        Case(testDescription: "name a number", code: "FIELD_INVALID", pointer: "/name", body: ["name": 1]),
        Case(testDescription: "keys an object", code: "FIELD_INVALID", pointer: "/keys", body: ["keys": [:]]),
        Case(testDescription: "key a text", code: "CONTROL_BODY_NOT_OBJECT", pointer: "/keys/0", body: ["keys": ["x"]]),
        Case(testDescription: "no use", code: "FIELD_MISSING", pointer: "/keys/0/use", body: ["keys": [["pem": "x"]]]),
        Case(testDescription: "use", code: "FIELD_INVALID", pointer: "/keys/0/use", body: ["keys": [["use": "tls"]]]),
        Case(
            testDescription: "no key",
            code: "KEY_INVALID",
            pointer: "/keys/0/pem",
            body: ["keys": [["use": "authorizationCode"]]]
        ),
        Case(
            testDescription: "pem no key",
            code: "KEY_INVALID",
            pointer: "/keys/0/pem",
            body: ["keys": [["use": "authorizationCode", "pem": "x"]]]
        ),
        Case(
            testDescription: "jwk no key",
            code: "KEY_INVALID",
            pointer: "/keys/0/jwk",
            body: ["keys": [["use": "authorizationCode", "jwk": ["kty": "oct"]]]]
        ),
        Case(
            testDescription: "a file",
            code: "KEY_INVALID",
            pointer: "/keys/0/pemFile",
            body: ["keys": [["use": "authorizationCode", "pemFile": "/etc/passwd"]]]
        ),
        Case(
            testDescription: "range",
            code: "FIELD_INVALID",
            pointer: "/accountRanges/0",
            body: ["accountRanges": [["low": "5", "high": "4"]]]
        ),
        Case(
            testDescription: "binding",
            code: "FIELD_INVALID",
            pointer: "/policies/binding",
            body: ["policies": ["binding": "maybe"]]
        ),
        Case(
            testDescription: "flag",
            code: "FIELD_INVALID",
            pointer: "/policies/repeatIsSuccess",
            body: ["policies": ["repeatIsSuccess": "yes"]]
        ),
        Case(
            testDescription: "Visa's key",
            code: "FIELD_INVALID",
            pointer: "/networkKeys/visa/key",
            body: ["networkKeys": ["visa": ["key": "00ff"]]]
        ),
        Case(
            testDescription: "key set id",
            code: "FIELD_INVALID",
            pointer: "/networkKeys/visa/keySetId",
            body: ["networkKeys": ["visa": ["keySetId": "a-b"]]]
        ),
        Case(
            testDescription: "TAV key",
            code: "KEY_INVALID",
            pointer: "/networkKeys/mastercard/tav/0/pem",
            body: ["networkKeys": ["mastercard": ["tav": [["pem": "x"]]]]]
        ),
    ]

    @Test(arguments: wrongIssuers)
    func `a wrong issuer document is refused with the place`(_ example: Case) async throws {
        try await withSandbox { sandbox in
            let reply = try await sandbox.control("PUT", Self.issuers + "/DEMOBANK02", example.body)
            #expect(Problem(reply) == Problem(400, example.code, example.pointer))
            #expect(try await sandbox.control("GET", Self.issuers + "/DEMOBANK02").text("name") == "Demo Bank 02")
        }
    }

    @Test func `a key of the wrong kind and an id of the wrong form are refused`() async throws {
        try await withSandbox { sandbox in
            let ec = try sandbox.keyFile("issuers/DEMOBANK01/d1.pub.pem")
            let rsa = try sandbox.keyFile("issuers/DEMOBANK01/authorization.pub.pem")
            for (use, pem) in [("authorizationCode", ec), ("d1Assertion", rsa)] {
                let body: JSON = ["keys": [["use": .string(use), "pem": .string(pem)]]]
                let reply = try await sandbox.control("PUT", Self.issuers + "/DEMOBANK02", body)
                #expect(Problem(reply) == Problem(400, "KEY_INVALID", "/keys/0/pem"))
            }
            for id in ["SHORT", "ELEVENCHARS", "MY-BANK-01"] {
                let put = try await sandbox.control(
                    "PUT",
                    Self.issuers + "/" + id,
                    ["networkKeys": ["mastercard": ["tav": []]]]
                )
                #expect(Problem(put) == Problem(400, "ISSUER_ID_FORM", "/issuerId"), "\(id)")
            }
            let used = try await sandbox.control("DELETE", Self.issuers + "/DEMOBANK01")
            #expect(Problem(used) == Problem(409, "ISSUER_HAS_CARDS"))
        }
    }

    @Test func `two keys of one use have two kids`() async throws {
        try await withSandbox { sandbox in
            let rsa = try PublicKey(pem: try sandbox.keyFile("issuers/DEMOBANK01/authorization.pub.pem"))
            let other = try PublicKey(pem: try sandbox.keyFile("issuers/DEMOBANK02/authorization.pub.pem"))
            let ec = try PublicKey(pem: try sandbox.keyFile("issuers/DEMOBANK01/d1.pub.pem"))
            func entry(_ use: JSON, _ key: PublicKey, _ kid: JSON) -> JSON {
                ["use": use, "kid": kid, "pem": .string(key.pem)]
            }
            let code: JSON = "authorizationCode"
            let inJWK: JSON = ["use": code, "jwk": rsa.jwk.adding("kid", "k1")]
            let table: [(keys: [JSON], pointer: String?)] = [
                ([entry(code, rsa, "k1"), entry(code, other, "k1")], "/keys/1/kid"),
                ([entry(code, rsa, "k1"), entry(code, rsa, "k1")], "/keys/1/kid"),
                ([entry(code, rsa, "k2"), entry(code, rsa, "k1"), inJWK], "/keys/2/jwk/kid"),
                ([entry(code, rsa, "k1"), entry(code, rsa, "k2")], nil),
                ([entry(code, rsa, "k1"), entry(code, other, "K1")], nil),
                ([entry(code, rsa, nil), entry(code, other, nil)], nil),
                ([entry("issuerToken", ec, "k1"), entry("d1Assertion", ec, "k1")], nil),
            ]
            for (keys, pointer) in table {
                let reply = try await sandbox.control("PUT", Self.issuers + "/DEMOBANK02", ["keys": .array(keys)])
                guard let pointer else {
                    #expect(reply.status == 200, "\(reply.summary)")
                    continue
                }
                #expect(Problem(reply) == Problem(400, "KEY_ID_TAKEN", pointer))
            }
            // A slip beside a mistake is told, too.
            let slip: JSON = ["keys": [["use": code, "kd": "k1", "strictness": "loose", "pem": .string(rsa.pem)]]]
            let reply = try await sandbox.control("PUT", Self.issuers + "/DEMOBANK02", slip)
            #expect(Problem(reply) == Problem(400, "FIELD_INVALID", "/keys/0/strictness"))
            #expect(reply.header("x-sandbox-warning") == "UNKNOWN_MEMBER /keys/0/kd")
        }
    }

    @Test func `private and symmetric keys are taken and never come back`() async throws {
        try await withSandbox { sandbox in
            let key = try Self.key.get()
            let secret = "00112233445566778899aabbccddeeff"
            let document: JSON = [
                "networkKeys": [
                    "mastercard": ["tav": [["keyAlias": "alias1", "pem": .string(try key.pem)]]],
                    "visa": ["keySetId": "555.1", "key": .string(secret)], "amex": ["key": .string(secret)],
                    "discover": ["key": .string(secret)],
                ]
            ]
            let path = Self.issuers + "/MYBANK0001"
            let put = try await sandbox.control("PUT", path, document)
            let replies = [put, try await sandbox.control("GET", path), try await sandbox.control("GET", Self.issuers)]
            for reply in replies {
                #expect(!reply.text.contains("PRIVATE") && !reply.text.lowercased().contains(secret))
            }
            let tav: JSON = [["pem": .string(key.publicKey.pem), "keyAlias": "alias1", "signs": true]]
            #expect(put["networkKeys"] == ["mastercard": ["tav": tav], "visa": ["keySetId": "555.1"]])
            // What a later document does not name is kept.
            let renamed = try await sandbox.control("PUT", path, ["name": "Renamed"])
            #expect(renamed["networkKeys"] == put["networkKeys"])
        }
    }

    @Test func `network keys that are not given are made, and work`() async throws {
        try await withSandbox { sandbox in
            let pem = try sandbox.keyFile("issuers/DEMOBANK02/authorization.pub.pem")
            _ = try await sandbox.control("DELETE", "/v1/cards")
            let document: JSON = ["keys": [["use": "authorizationCode", "pem": .string(pem)]]]
            let made = try await sandbox.control("PUT", Self.issuers + "/MYBANK0001", document)
            #expect(made["networkKeys"]["mastercard"]?["tav"]?.array?.count == 1, "\(made.summary)")
            #expect(made["networkKeys"]["visa"]?["keySetId"]?.string?.isEmpty == false)
        }
    }

    @Test func `an issuer with a public TAV key only gets values of the sandbox's own key`() async throws {
        try await withSandbox { sandbox in
            let keys: JSON = ["mastercard": ["tav": [["pem": .string(try Self.key.get().publicKey.pem)]]]]
            let issuer = try await sandbox.control("GET", Self.issuers + "/DEMOBANK01").json
            _ = try await sandbox.control("PUT", Self.issuers + "/DEMOBANK01", issuer.adding("networkKeys", keys))
            let made = try await sandbox.provision(try await sandbox.device(), .mastercard, .mastercard)
            #expect([String(made.status), made.text("decision")] == ["201", "green"])
        }
    }

    static let wrongMetadata: [Case] = [
        Case(
            testDescription: "singular",
            code: "ASSOCIATION_MEMBER_SINGULAR",
            pointer: "/associatedApplicationIdentifier",
            body: ["associatedApplicationIdentifier": ["A1B2C3D4E5.com.a"]]
        ),
        Case(
            testDescription: "no team",
            code: "ASSOCIATION_ENTRY_INVALID",
            pointer: "/associatedApplicationIdentifiers/1",
            body: ["associatedApplicationIdentifiers": ["A1B2C3D4E5.com.a", "com.a"]]
        ),
        Case(
            testDescription: "star inside",
            code: "ASSOCIATION_ENTRY_INVALID",
            pointer: "/associatedApplicationIdentifiers/0",
            body: ["associatedApplicationIdentifiers": ["A1B2C3D4E5.*.a"]]
        ),
        Case(
            testDescription: "star without a dot",
            code: "ASSOCIATION_ENTRY_INVALID",
            pointer: "/associatedApplicationIdentifiers/0",
            body: ["associatedApplicationIdentifiers": ["A1B2C3D4E5.com.a*"]]
        ),
        Case(
            testDescription: "team in lower case",
            code: "ASSOCIATION_ENTRY_INVALID",
            pointer: "/associatedApplicationIdentifiers/0",
            body: ["associatedApplicationIdentifiers": ["a1b2c3d4e5.com.a"]]
        ),
        Case(
            testDescription: "entry a number",
            code: "FIELD_INVALID",
            pointer: "/associatedApplicationIdentifiers/0",
            body: ["associatedApplicationIdentifiers": [1]]
        ),
        Case(
            testDescription: "store id letters",
            code: "STORE_IDENTIFIER_INVALID",
            pointer: "/associatedStoreIdentifiers/0",
            body: ["associatedStoreIdentifiers": ["id123"]]
        ),
        Case(
            testDescription: "launch without store",
            code: "LAUNCH_URL_NEEDS_STORE_ID",
            pointer: "/appLaunchURL",
            body: ["appLaunchURL": "a://b"]
        ),
        Case(
            testDescription: "launch no address",
            code: "FIELD_INVALID",
            pointer: "/appLaunchURL",
            body: ["appLaunchURL": "no address", "associatedStoreIdentifiers": ["1"]]
        ),
    ]

    @Test(arguments: wrongMetadata)
    func `wrong pass metadata is refused with the place`(_ example: Case) async throws {
        try await withSandbox { sandbox in
            let before = try await sandbox.control("GET", Self.metadata).json
            let reply = try await sandbox.control("PUT", Self.metadata, example.body)
            #expect(Problem(reply) == Problem(400, example.code, example.pointer))
            #expect(try await sandbox.control("GET", Self.metadata).json == before)
        }
    }

    @Test func `pass metadata comes back as put; apply says how many passes it changed`() async throws {
        try await withSandbox { sandbox in
            let document: JSON = [
                "contactName": "Demo", "bank_app": "App", "appLaunchURL": "demo://x",
                "associatedStoreIdentifiers": [123, "456"],
                "associatedApplicationIdentifiers": ["A1B2C3D4E5.*", "A1B2C3D4E5.com.demobank.app"],
            ]
            let put = try await sandbox.control("PUT", Self.metadata, document)
            #expect(put.status == 200)
            for member in ["contactName", "bank_app", "appLaunchURL", "associatedApplicationIdentifiers"] {
                #expect(put[member] == document[member])
            }
            #expect(put["associatedStoreIdentifiers"] == ["123", "456"])
            #expect(try await sandbox.control("GET", Self.metadata).json == put.json)
            let phone = try await sandbox.device()
            let token = try await sandbox.provision(phone, .visa, .visa).text("tokenId")
            let amex = try await sandbox.provision(phone, .amex, .amex).text("tokenId")
            _ = try await sandbox.provision(phone, TestCard("two", pan: "4242424242424242"), .visa)
            let table: [(body: JSON, count: Int)] = [
                ([:], 0), (["tokenId": .string(token)], 1), ([:], 1), ([:], 0), (["tokenId": .string(token)], 0),
            ]
            for (index, (body, count)) in table.enumerated() {
                if index == 1 {
                    _ = try await sandbox.control("PUT", Self.metadata, document.replacing("contactName", "New"))
                }
                let reply = try await sandbox.control("POST", Self.metadata + "/apply", body)
                #expect(reply.text == "{\"updatedPasses\":\(count)}")
            }
            // A token of another network or issuer, and none at all, are not tokens here; a deleted one has no pass.
            let other = "/v1/issuers/DEMOBANK02/pass-metadata/visa/apply"
            let strange: [(path: String, id: JSON)] = [
                (Self.metadata + "/apply", "none"), (Self.metadata + "/apply", .string(amex)),
                (other, .string(token)),
            ]
            for (path, id) in strange {
                let reply = try await sandbox.control("POST", path, ["tokenId": id])
                #expect(Problem(reply) == Problem(404, "TOKEN_UNKNOWN", "/tokenId"))
            }
            _ = try await sandbox.control("POST", "/v1/tokens/\(token)/events", ["event": "delete"])
            let deleted = try await sandbox.control("POST", Self.metadata + "/apply", ["tokenId": .string(token)])
            #expect((deleted.status, deleted.text) == (200, "{\"updatedPasses\":0}"))
            let unknown = try await sandbox.control("GET", "/v1/issuers/NOBODY0001/pass-metadata/visa")
            #expect(Problem(unknown) == Problem(404, "ISSUER_NOT_FOUND"))
            let network = try await sandbox.control("GET", "/v1/issuers/DEMOBANK01/pass-metadata/VISA")
            #expect(Problem(network).code == "NETWORK_UNKNOWN")
        }
    }

    @Test func `applications are put, read and removed`() async throws {
        try await withSandbox { sandbox in
            let path = "/v1/applications/A1B2C3D4E5.com.new"
            let document: JSON = [
                "issuerId": "DEMOBANK01", "kind": "extension", "entitled": false, "appGroupIDs": ["group.x"],
                "storeIdentifier": "1", "urlScheme": "demo",
            ]
            let put = try await sandbox.control("PUT", path, document)
            #expect(put.status == 201)
            for member in document.object?.keys ?? [] { #expect(put[member] == document[member], "\(member)") }
            #expect(try await sandbox.control("PUT", path, document).status == 200)
            #expect(try await sandbox.control("GET", path).json == put.json)
            #expect(try await sandbox.control("DELETE", path).status == 204)
            for method in ["GET", "DELETE"] {
                let reply = try await sandbox.control(method, path)
                #expect(Problem(reply) == Problem(404, "APPLICATION_NOT_FOUND"))
            }
            let table: [(path: String, body: JSON, problem: Problem)] = [
                (path, [:], Problem(400, "FIELD_MISSING", "/issuerId")),
                (path, ["issuerId": "NOBODY0001"], Problem(404, "ISSUER_NOT_FOUND", "/issuerId")),
                (path, ["issuerId": "DEMOBANK01", "kind": "web"], Problem(400, "FIELD_INVALID", "/kind")),
                ("/v1/applications/com.new", document, Problem(400, "APPLICATION_IDENTIFIER_FORM", "/application")),
                (
                    "/v1/applications/A1B2C3D4E5.*", document,
                    Problem(400, "APPLICATION_IDENTIFIER_FORM", "/application")
                ),
            ]
            for (path, body, problem) in table {
                #expect(try await Problem(sandbox.control("PUT", path, body)) == problem)
            }
            // A store id is digits, as in pass metadata.
            for (given, kept) in [(123, "123"), ("0123", "0123"), (nil, nil)] as [(JSON, JSON)] {
                let reply = try await sandbox.control("PUT", path, document.replacing("storeIdentifier", given))
                #expect(reply["storeIdentifier"] == kept, "\(reply.summary)")
            }
            for wrong in ["abc", "", "1 2", "123456789012345678901", -1, .number("1.5"), true, ["1"]] as [JSON] {
                let reply = try await sandbox.control("PUT", path, document.replacing("storeIdentifier", wrong))
                #expect(Problem(reply) == Problem(400, "STORE_IDENTIFIER_INVALID", "/storeIdentifier"), "\(wrong)")
            }
        }
    }
}

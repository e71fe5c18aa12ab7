import Core
import Crypto
import Networks
import Sandbox
import SandboxTesting
import Testing
import Wire

/// A face in the test target is a whole face: one value in the list of faces is all it takes.
struct SignedFaceTests {
    private static let faces = FaceCatalog.all + [SignedFace()]

    /// How a request comes in, and what its client signs.
    struct Way: CustomTestStringConvertible {
        let testDescription: String
        var publicURL: String?
        var target = "/testnet/orders"
        var signed = "http://h:1/testnet/orders"
        var isCoded = false
        var tenantHeader: String?
    }

    static let ways = [
        Way(testDescription: "plain, the tenant named in the header", tenantHeader: "acme"),
        Way(testDescription: "the key leads to the tenant"),
        Way(
            testDescription: "below /t/acme",
            target: "/t/acme/testnet/orders",
            signed: "http://h:1/t/acme/testnet/orders"
        ),
        Way(testDescription: "below /t/acme, signed without", target: "/t/acme/testnet/orders"),
        Way(testDescription: "gzip", isCoded: true),
        Way(
            testDescription: "public URL",
            publicURL: "https://p.test/box",
            signed: "https://p.test/box/testnet/orders"
        ),
        Way(
            testDescription: "all at once",
            publicURL: "https://p.test/box",
            target: "/box/t/acme/testnet/orders",
            signed: "https://p.test/box/t/acme/testnet/orders",
            isCoded: true
        ),
    ]

    /// A client of tenant `acme`.
    private func client(_ sandbox: TestSandbox) async throws -> (reply: TestReply, credential: Credential) {
        let body: JSON = ["network": "testnet", "role": "requestor", "name": "Shop"]
        let reply = try await sandbox.control(
            "POST",
            "/v1/credentials",
            body: body.text,
            headers: [("x-sandbox-tenant", "acme")]
        )
        #expect(reply.status == 201, "\(reply.text)")
        let members = reply.json.object ?? JSONObject()
        return (
            reply,
            Credential(id: reply.text("id"), network: "testnet", role: .requestor, members: members, digests: [])
        )
    }

    private func order(
        _ sandbox: TestSandbox,
        _ way: Way,
        _ credential: Credential,
        issuerID: String = "DEMOBANK01",
        changed: Bool = false
    ) async throws -> TestReply {
        let plain: JSON = ["id": "order-1", "issuerId": .string(issuerID)]
        let body = way.isCoded ? gzipped(plain.bytes) : plain.bytes
        let signature = SignedCaller.sign(credential, method: "POST", url: way.signed, body: body)
        var headers = [
            ("host", "h:1"), ("authorization", "Bearer \(credential.text("apiKey") ?? "")"),
            ("content-type", "application/json"), ("x-testnet-correlation", "c-1"),
            ("x-testnet-signature", changed ? String(signature.reversed()) + "0" : signature),
        ]
        if way.isCoded { headers.append(("content-encoding", "gzip")) }
        if let tenant = way.tenantHeader { headers.append(("x-sandbox-tenant", tenant)) }
        return try await sandbox.send(.api, "POST", way.target, body, headers)
    }

    @Test(arguments: ways)
    func `a signed request works however it comes`(_ way: Way) async throws {
        try await withSandbox(configure: { $0.publicURL = way.publicURL }, faces: Self.faces) { sandbox in
            let (_, credential) = try await client(sandbox)
            let reply = try await order(sandbox, way, credential)
            #expect(reply.status == 201, "\(reply.summary)")
            #expect(reply.header("x-testnet-correlation") == "c-1")
            let sealed = try Base64.decode(reply.text("sealed"))
            #expect(try JSON.parse(sealed)["tenant"] == "acme")
            let wrong = try await order(sandbox, way, credential, changed: true)
            #expect((wrong.status, wrong["err"]) == (401, "TESTNET_SIGNATURE"))
            #expect(wrong.header("x-testnet-correlation") == "c-1" && wrong["sealed"].isNull)
            let nobody = try await order(sandbox, way, credential, issuerID: "NOBODY0000")
            #expect((nobody.status, nobody["err"]) == (404, "TESTNET_ISSUER_UNKNOWN"))
        }
    }

    @Test func `a credential is told whole once, found, and removed`() async throws {
        try await withSandbox(configure: { _ in }, faces: Self.faces) { sandbox in
            let (made, credential) = try await client(sandbox)
            #expect(made.header("cache-control") == "no-store" && credential.text("sharedSecret")?.utf8.count == 32)
            let acme = [("x-sandbox-tenant", "acme")]
            let list = try await sandbox.control("GET", "/v1/credentials", headers: acme)
            let shown: JSON = [
                "id": .string(credential.id), "network": "testnet", "role": "requestor", "name": "Shop",
                "apiKey": .optional(credential.text("apiKey")),
            ]
            #expect(list["items"] == [shown])
            #expect(try await sandbox.control("GET", "/v1/credentials/\(credential.id)", headers: acme).json == shown)
            #expect(try await sandbox.control("GET", "/v1/credentials")["items"] == [])
            // It stays where it was made, whatever becomes of the world.
            let snapshot = try await sandbox.control("POST", "/v1/snapshots", body: nil, headers: acme)
            let export = try await sandbox.control("GET", "/v1/export", headers: acme)
            #expect(!export.text.contains(credential.id))
            let fork = try await sandbox.control("POST", "/v1/tenants/acme/fork", ["as": "copy"])
            #expect(fork.status == 201)
            let copied = try await sandbox.control("GET", "/v1/credentials", headers: [("x-sandbox-tenant", "copy")])
            #expect(copied["items"] == [])
            let restore = "/v1/snapshots/\(snapshot.text("id"))/restore"
            #expect(try await sandbox.control("POST", restore, body: nil, headers: acme).status == 204)
            #expect(try await sandbox.control("POST", "/v1/tenants/acme/reset", body: nil).status < 300)
            #expect(try await sandbox.control("POST", "/v1/import", body: export.text, headers: acme).status == 204)
            #expect(try await sandbox.control("GET", "/v1/credentials", headers: acme)["items"] == [shown])
            let gone = "/v1/credentials/\(credential.id)"
            #expect(try await sandbox.control("DELETE", gone, headers: acme).status == 204)
            #expect(try await sandbox.control("DELETE", gone, headers: acme).status == 404)
            let refused = try await order(sandbox, Way(testDescription: "gone"), credential)
            #expect((refused.status, refused["err"]) == (401, "TESTNET_KEY_UNKNOWN"))
        }
    }

    @Test(arguments: [
        (#"{"role":"requestor"}"#, "FIELD_MISSING", "/network"),
        (#"{"network":"visa","role":"requestor"}"#, "CREDENTIAL_NETWORK_UNKNOWN", "/network"),
        (#"{"network":"testnet","role":"issuer"}"#, "FIELD_INVALID", "/role"),
        (#"{"network":"testnet","role":"requestor","apiKey":""}"#, "FIELD_INVALID", "/apiKey"),
        (#"{"network":"testnet","role":"requestor","issuerId":"NOBODY0000"}"#, "ISSUER_NOT_FOUND", "/issuerId"),
    ])
    func `a credential that cannot be made is refused where it is wrong`(
        _ body: String,
        _ code: String,
        _ pointer: String
    ) async throws {
        try await withSandbox(configure: { _ in }, faces: Self.faces) { sandbox in
            let reply = try await sandbox.control("POST", "/v1/credentials", body: body, headers: [])
            #expect(
                (400...404).contains(reply.status) && reply.text("code") == code && reply.text("pointer") == pointer
            )
        }
    }

    @Test func `a given key is taken, and two tenants that hold it select neither`() async throws {
        try await withSandbox(configure: { _ in }, faces: Self.faces) { sandbox in
            var last: Credential?
            for tenant in ["one", "two"] {
                let body: JSON = ["network": "testnet", "role": "requestor", "apiKey": "same", "sharedSecret": "s"]
                let headers = [("x-sandbox-tenant", tenant)]
                let reply = try await sandbox.control("POST", "/v1/credentials", body: body.text, headers: headers)
                last = Credential(
                    id: "",
                    network: "testnet",
                    role: .requestor,
                    members: reply.json.object ?? .init(),
                    digests: []
                )
            }
            let reply = try await order(sandbox, Way(testDescription: "ambiguous"), try #require(last))
            #expect((reply.status, reply["err"]) == (401, "TESTNET_KEY_UNKNOWN"))
            #expect(reply.diagnosis.contains("CREDENTIAL_AMBIGUOUS"), "\(reply.diagnosis)")
        }
    }

    @Test func `its signature is explained, its errors and faults are known, its changes are told`() async throws {
        try await withSandbox(configure: { _ in }, faces: Self.faces) { sandbox in
            let (_, credential) = try await client(sandbox)
            let (url, body) = ("https://shop.test/x", "{}")
            let signature = SignedCaller.sign(credential, method: "POST", url: url, body: Array(body.utf8))
            for (value, passed) in [(signature, true), ("00", false)] {
                let ask: JSON = [
                    "kind": "testnet-signature", "value": .string(value),
                    "context": [
                        "keyId": .optional(credential.text("apiKey")), "method": "POST", "url": .string(url),
                        "body": .string(body),
                    ],
                ]
                let told = try await sandbox.control(
                    "POST",
                    "/v1/explain",
                    body: ask.text,
                    headers: [("x-sandbox-tenant", "acme")]
                )
                #expect(told["checks"].array?.first?["passed"] == .bool(passed), "\(told.text)")
            }
            let rule: JSON = [
                "match": ["face": "testnet", "operation": "testnet.createOrder"],
                "effect": ["networkError": "TESTNET_CLOSED"],
            ]
            let acme = [("x-sandbox-tenant", "acme")]
            #expect(try await sandbox.control("POST", "/v1/faults", body: rule.text, headers: acme).status == 201)
            let closed = try await order(sandbox, Way(testDescription: "closed"), credential)
            #expect((closed.status, closed["err"]) == (503, "closed"))

            let phone = try await sandbox.device()
            let active: JSON = [
                "issuerCardRefId": "card-visa", "network": "visa", "deviceId": .string(phone),
                "application": .string(TestSandbox.application), "state": "active",
            ]
            let token = try await sandbox.control("POST", "/v1/tokens", active).text("tokenId")
            let event: JSON = ["event": "suspend", "by": "issuer"]
            #expect(try await sandbox.control("POST", "/v1/tokens/\(token)/events", event).status == 200)
            let callbacks = try await sandbox.control("GET", "/v1/callbacks")
            let told = callbacks["items"].array?.first { $0["face"] == "testnet" }
            #expect(told?["operation"] == "testnet.tokenChanged" && told?["body"]?["change"]?.string == "suspend")
        }
    }

    @Test func `its records move with the world, and cannot do without what they name`() async throws {
        try await withSandbox(configure: { _ in }, faces: Self.faces) { sandbox in
            let (_, credential) = try await client(sandbox)
            #expect(try await order(sandbox, Self.ways[0], credential).status == 201)
            let acme = [("x-sandbox-tenant", "acme")]
            let export = try await sandbox.control("GET", "/v1/export", headers: acme)
            let text = export.text
            #expect(text.contains("testnetOrder"))
            #expect(try await sandbox.control("POST", "/v1/import", body: text, headers: acme).status == 204)
            let broken = text.replacing(
                #""id":"order-1","issuerId":"DEMOBANK01""#,
                with: #""id":"order-1","issuerId":"NOBODY0000""#
            )
            let refused = try await sandbox.control("POST", "/v1/import", body: broken, headers: acme)
            #expect((refused.status, refused.text("code")) == (400, "WORLD_REFERENCE_UNKNOWN"), "\(refused.text)")
        }
    }
}

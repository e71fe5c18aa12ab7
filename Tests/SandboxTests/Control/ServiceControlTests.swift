import Core
import Crypto
import Sandbox
import SandboxTesting
import Testing
import Web
import Wire

/// Health, token gate, key material, journal and tenants.
struct ServiceControlTests {
    @Test func `health, readiness and version answer`() async throws {
        try await withSandbox { sandbox in
            #expect(try await sandbox.control("GET", "/healthz").text == "{\"status\":\"ok\"}")
            #expect(try await sandbox.control("GET", "/readyz").status == 200)
            let version = try await sandbox.control("GET", "/v1/version")
            #expect([version["name"], version["testDataOnly"]] == ["tsp-sandbox", true])
            sandbox.application.readiness.end()
            #expect(try await sandbox.control("GET", "/readyz").status == 503)
            #expect(try await sandbox.control("GET", "/healthz").status == 200)
        }
    }

    struct Caller: CustomTestStringConvertible, Sendable {
        let header: String?
        let code: String
        var testDescription: String { header ?? "no header" }
    }

    @Test(arguments: [
        Caller(header: nil, code: "CONTROL_TOKEN_MISSING"), Caller(header: "Bearer wrong", code: "CONTROL_TOKEN_WRONG"),
        Caller(header: "secret", code: "CONTROL_TOKEN_WRONG"),
        Caller(header: "Bearer secretx", code: "CONTROL_TOKEN_WRONG"),
        Caller(header: "Bearer ", code: "CONTROL_TOKEN_WRONG"), Caller(header: "Bearer secret", code: ""),
    ])
    func `with a control token only its bearer gets in`(_ caller: Caller) async throws {
        try await withSandbox(configure: { $0.controlToken = "secret" }) { sandbox in
            let headers = caller.header.map { [("authorization", $0)] } ?? []
            for path in ["/v1/tokens", "/v1/version", "/v1/nothing"] {
                let reply = try await sandbox.control("GET", path, headers: headers)
                if caller.code.isEmpty {
                    #expect(reply.status == (path == "/v1/nothing" ? 404 : 200))
                } else {
                    #expect(Problem(reply) == Problem(401, caller.code))
                }
            }
            for path in ["/healthz", "/readyz"] {
                #expect(try await sandbox.control("GET", path, headers: headers).status == 200)
            }
            // A caller without the token makes no tenant either.
            let tenant = headers + [("x-sandbox-tenant", "sneaky")]
            _ = try await sandbox.control("GET", "/v1/tokens", headers: tenant)
            let names = try await sandbox.application.worlds.store.tenants().map(\.text)
            #expect(names.contains("sneaky") == caller.code.isEmpty)
        }
    }

    @Test func `a rotated payload key is the active one, and the old ones still open`() async throws {
        try await withSandbox { sandbox in
            func keys() async throws -> [JSON] {
                try await sandbox.control("GET", "/v1/payload-certificates")["items"].array ?? []
            }
            #expect(try await keys().compactMap { $0["keyId"]?.string } == ["TSH-PAYLOAD-2048", "TSH-PAYLOAD-4096"])
            #expect(try await keys().allSatisfy { $0.object?.keys == ["keyId", "certificate", "active"] })
            let old = try TestIssuer(sandbox).payload(.visa)
            var made: [TestReply] = []
            for _ in 0..<2 { made.append(try await sandbox.control("POST", "/v1/payload-keys/rotate")) }
            #expect(made.map(\.status) == [201, 201])
            let listed = try await keys()
            #expect(listed.map { $0["active"] } == [true, false, false, false])
            #expect(listed.prefix(2).map { $0["keyId"] } == made.reversed().map { $0["keyId"] })
            #expect(listed[0]["certificate"] == made[1]["certificate"])
            var payloads = [old, try TestIssuer(sandbox).payload(.visa, keyFile: "tsh/payload-4096")]
            for reply in made {
                let certificate = try Certificate(pem: reply.text("certificate"))
                payloads.append(Hex.encode(try EnvelopedDataSealer.seal(TestCard.visa.json.bytes, to: certificate)))
            }
            for payload in payloads {
                let body: JSON = ["scheme": "VISA", "encryptedPayload": .string(payload)]
                #expect(try await sandbox.api("POST", "/mg/tpc/DEMOBANK01/getTokens", body).text == "{\"tokens\":[]}")
            }
        }
    }

    @Test func `keys rotated at once are all kept`() async throws {
        try await withSandbox { sandbox in
            let ids = try await withThrowingTaskGroup { group in
                for _ in 0..<3 {
                    group.addTask { try await sandbox.control("POST", "/v1/payload-keys/rotate").text("keyId") }
                }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(ids.count == 3)
            #expect(try await sandbox.control("GET", "/v1/payload-certificates")["items"].array?.count == 5)
            let bits = try await sandbox.control("POST", "/v1/payload-keys/rotate", ["bits": 3_072])
            #expect(Problem(bits) == Problem(400, "FIELD_INVALID", "/bits"))
        }
    }

    @Test func `Apple's root anchors the chains of the sessions`() async throws {
        try await withSandbox { sandbox in
            let reply = try await sandbox.control("GET", "/v1/apple/root")
            #expect(reply.json.object?.keys == ["certificate"])
            let root = try Certificate(pem: reply.text("certificate"))
            let session = try await sandbox.session(try await sandbox.device(), .visa, .visa)
            let chain = try session["certificates"].array?.map { try Base64.decode($0.string ?? "") } ?? []
            #expect(CertificateChain.verify(chain, .passData(anchors: [root])).isAccepted)
        }
    }

    @Test func `the journal lists newest first, filters, finds by id and is emptied`() async throws {
        try await withSandbox { sandbox in
            let token = try await sandbox.provision(try await sandbox.device(), .visa, .visa).text("tokenId")
            _ = try await sandbox.api(
                "POST",
                "/mg/tpc/DEMOBANK01/getTokens",
                body: "{}",
                headers: [("x-request-id", "mine")]
            )
            let all = try await sandbox.control("GET", "/v1/journal")
            #expect(all.json.object?.keys == ["items", "dropped", "more"] && all["more"] == false)
            let first = try await sandbox.control("GET", "/v1/journal?limit=1")
            #expect(first["items"].array?.count == 1 && first["more"] == true)
            let endpoints = all["items"].array?.compactMap { $0["operation"]?.string }
            #expect(
                endpoints == [
                    "tpc.getTokens", "wallet.createPass", "tpc.generateAddPaymentPassRequest",
                    "wallet.createProvisioningSession", "wallet.createDevice",
                ]
            )
            let table: [(query: String, count: Int)] = [
                ("face=tpc", 2), ("operation=wallet.createPass", 1), ("status=400", 1), ("tokenId=\(token)", 1),
                ("diagnosis=SCHEME_MISSING", 1), ("limit=2", 2), ("face=d1", 0), ("face=tpc&status=200", 1),
            ]
            for (query, count) in table {
                let items = try await sandbox.control("GET", "/v1/journal?\(query)")["items"].array
                #expect(items?.count == count, "\(query)")
            }
            let mine = try await sandbox.control("GET", "/v1/journal/mine")["items"].array
            let entry = mine?.first ?? .null
            let keys = [
                "requestId", "at", "tenant", "direction", "face", "operation", "method", "path", "status", "durationMs",
                "attempt", "diagnosis", "checks", "request", "response",
            ]
            #expect(entry.object?.keys == keys)
            #expect(entry["checks"]?.array?.first?.object?.keys.prefix(2) == ["name", "passed"])
            #expect([entry["tenant"], entry["direction"], entry["status"]] == ["default", "inbound", 400])
            #expect(try await sandbox.control("DELETE", "/v1/journal").status == 204)
            #expect(try await sandbox.control("GET", "/v1/journal")["items"] == [])
            let gone = try await sandbox.control("GET", "/v1/journal/mine")
            #expect(Problem(gone) == Problem(404, "JOURNAL_ENTRY_NOT_FOUND"))
            let bad = try await sandbox.control("GET", "/v1/journal?status=many")
            #expect(Problem(bad).status == 400)
        }
    }

    @Test func `a reset brings the base world back and keeps the seed`() async throws {
        try await withSandbox(seed: 42) { sandbox in
            let first = try await sandbox.api("POST", "/wallet/apple/devices", ["kind": "phone"]).text("deviceId")
            _ = try await sandbox.provision(first, .visa, .visa)
            _ = try await sandbox.control(
                "PATCH",
                "/v1/tenants/default",
                ["strictness": "lenient", "diagnosisHeader": false]
            )
            let reset = try await sandbox.control("POST", "/v1/tenants/default/reset")
            #expect([reset["strictness"], reset["diagnosisHeader"], reset["seed"]] == ["documented", true, 42])
            #expect(try await sandbox.control("GET", "/v1/tokens")["items"] == [])
            #expect(try await sandbox.control("GET", "/v1/journal")["items"] == [])
            #expect(try await sandbox.control("GET", "/v1/cards/test-visa").status == 404)
            #expect(try await sandbox.control("GET", "/v1/cards/card-visa").status == 200)
            // The same seed from the beginning: the same id again.
            #expect(try await sandbox.device() == first)
        }
    }

    @Test func `a tenant's settings are read and changed, and wrong ones refused`() async throws {
        try await withSandbox { sandbox in
            let path = "/v1/tenants/default"
            let change: JSON = ["strictness": "strict", "magicData": false, "walletPropagationMs": 5, "seed": 9]
            let changed = try await sandbox.control("PATCH", path, change)
            #expect(changed.status == 200)
            for member in change.object?.keys ?? [] { #expect(changed[member] == change[member]) }
            #expect(try await sandbox.control("GET", path).json == changed.json)
            #expect(try await sandbox.control("GET", "/v1/tenants")["items"] == [changed.json])
            let table: [(member: String, value: JSON)] = [
                ("strictness", "mild"), ("magicData", "on"), ("walletPropagationMs", -1), ("seed", "x"),
                ("diagnosisHeader", 0),
            ]
            for (member, value) in table {
                let reply = try await sandbox.control("PATCH", path, JSON.object(JSONObject([(member, value)])))
                #expect(Problem(reply) == Problem(400, "FIELD_INVALID", "/" + member))
            }
            let unknown = try await sandbox.control("GET", "/v1/tenants/nobody")
            #expect(Problem(unknown) == Problem(404, "TENANT_UNKNOWN"))
        }
    }
}

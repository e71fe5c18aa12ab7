import Core
import Sandbox
import SandboxTesting
import Testing
import Traffic
import Wire

/// Tenants are made, removed, copied and reset, whatever else runs.
struct TenantLifeTests {
    private static let devices = "/wallet/apple/devices"

    private func names(_ sandbox: TestSandbox) async throws -> [String] {
        try await sandbox.control("GET", "/v1/tenants")["items"].array?.compactMap { $0["name"]?.string } ?? []
    }

    private func add(_ sandbox: TestSandbox, _ name: String, _ more: [(String, JSON)] = []) async throws -> TestReply {
        try await sandbox.control("POST", "/v1/tenants", JSON.object(JSONObject([("name", .string(name))] + more)))
    }

    @Test func `a tenant is made with the settings it is given`() async throws {
        try await withSandbox(configure: { $0.tenants = .explicit }) { sandbox in
            let refused = try await sandbox.api("GET", "/t/mine" + Self.devices)
            #expect([String(refused.status), refused.diagnosis.first] == ["404", "TENANT_UNKNOWN"])
            let plain = try await add(sandbox, "plain")
            #expect([plain.status, 201] == [201, 201])
            #expect([plain["strictness"], plain["magicData"], plain["seed"]] == ["documented", true, 1])
            let made = try await add(
                sandbox,
                "mine",
                [
                    ("seed", 7), ("strictness", "strict"), ("diagnosisHeader", false), ("magicData", false),
                    ("walletPropagationMs", 12),
                ]
            )
            let wanted: JSON = [
                "name": "mine", "seed": 7, "strictness": "strict", "diagnosisHeader": false, "hintHeader": false,
                "magicData": false,
                "walletPropagationMs": 12,
            ]
            #expect(made.status == 201 && made.json == wanted)
            #expect(try await sandbox.control("GET", "/v1/tenants/mine").json == wanted)
            #expect(try await names(sandbox) == ["default", "mine", "plain"])
            // The base world is in it, and a request finds it.
            let reply = try await sandbox.api("GET", "/t/mine" + Self.devices)
            #expect([String(reply.status), reply.header("x-sandbox-tenant-created")] == ["200", nil])
            let header = [("x-sandbox-tenant", "mine")]
            #expect(try await sandbox.control("GET", "/v1/cards/card-visa", headers: header).status == 200)
        }
    }

    @Test func `where tenants are explicit, each face refuses an unknown one in its shape and makes nothing`()
        async throws
    {
        try await withSandbox(configure: { $0.tenants = .explicit }) { sandbox in
            let paths = [
                "/mg/tpc/DEMOBANK01/getTokens", Self.devices, "/d1/client/v1/login", "/authz/v1/oauth2/token",
            ]
            for path in paths {
                let reply = try await sandbox.api("POST", "/t/nobody" + path, [:])
                #expect(reply.diagnosis.first == "TENANT_UNKNOWN" && (400...404).contains(reply.status), "\(path)")
            }
            let header = [("x-sandbox-tenant", "nobody")]
            let control = try await sandbox.control("GET", "/v1/cards", headers: header)
            #expect(Problem(control) == Problem(404, "TENANT_UNKNOWN"))
            #expect(try await names(sandbox) == ["default"])
            // A call about tenants is not about the one that the header names.
            let made = try await sandbox.control("POST", "/v1/tenants", body: #"{"name":"nobody"}"#, headers: header)
            #expect(made.status == 201)
            #expect(try await sandbox.control("GET", "/v1/journal", headers: header)["items"] == [])
        }
    }

    @Test func `a tenant that cannot be made is refused`() async throws {
        try await withSandbox { sandbox in
            let table: [(name: JSON, problem: Problem)] = [
                ("Upper", Problem(400, "TENANT_NAME_INVALID", "/name")),
                ("-x", Problem(400, "TENANT_NAME_INVALID", "/name")),
                ("4111111111111111", Problem(400, "TENANT_NAME_INVALID", "/name")),
                (1, Problem(400, "FIELD_INVALID", "/name")), (.null, Problem(400, "FIELD_MISSING", "/name")),
                ("default", Problem(409, "TENANT_EXISTS", "/name")),
            ]
            for (name, problem) in table {
                #expect(Problem(try await sandbox.control("POST", "/v1/tenants", ["name": name])) == problem)
            }
            let members: [(member: String, value: JSON)] = [
                ("strictness", "mild"), ("magicData", "on"), ("walletPropagationMs", -1), ("seed", "x"),
                ("diagnosisHeader", 0),
            ]
            for member in members {
                let reply = try await add(sandbox, "new", [member])
                #expect(Problem(reply) == Problem(400, "FIELD_INVALID", "/" + member.member))
            }
            #expect(try await names(sandbox) == ["default"])
        }
    }

    @Test func `a tenant's name is taken when a request has made it`() async throws {
        try await withSandbox { sandbox in
            _ = try await sandbox.api("GET", "/t/auto" + Self.devices)
            #expect(Problem(try await add(sandbox, "auto")) == Problem(409, "TENANT_EXISTS", "/name"))
            // Refusing it disturbs nothing.
            let again = try await sandbox.api("GET", "/t/auto" + Self.devices)
            #expect(again.header("x-sandbox-tenant-created") == nil)
        }
    }

    @Test func `there are never more tenants than the limit, however many are made at once`() async throws {
        try await withSandbox(configure: { $0.tenantLimit = 5 }) { sandbox in
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<12 {
                    group.addTask {
                        switch number % 3 {
                        case 0: try await add(sandbox, "a\(number)").status
                        case 1: try await sandbox.api("GET", "/t/b\(number)" + Self.devices).status
                        default:
                            try await sandbox.control("POST", "/v1/tenants/default/fork", ["as": .string("c\(number)")])
                                .status
                        }
                    }
                }
                return try await group.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
            }
            #expect(try await names(sandbox).count == 5)
            #expect(statuses[503] == 8 && statuses.values.reduce(0, +) == 12)
            let refused = try await add(sandbox, "one-more")
            #expect(Problem(refused) == Problem(503, "TENANT_LIMIT") && refused.header("retry-after") == "1")
            let name = try await names(sandbox).first { $0 != "default" } ?? ""
            #expect(try await sandbox.control("DELETE", "/v1/tenants/\(name)").status == 204)
            #expect(try await add(sandbox, "one-more").status == 201)
        }
    }

    @Test func `two that make one tenant: one does`() async throws {
        try await withSandbox { sandbox in
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 { group.addTask { try await add(sandbox, "same").status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.sorted() == [201] + Array(repeating: 409, count: 7))
        }
    }

    /// A suite begins with a reset, or with its settings.
    @Test(arguments: [("POST", "/reset"), ("PATCH", "")])
    func `a reset and a change of settings name a tenant for the first time`(
        _ method: String,
        _ path: String
    ) async throws {
        try await withSandbox { sandbox in
            let reply = try await sandbox.control(method, "/v1/tenants/begun" + path, ["strictness": "strict"])
            #expect(reply.status == 200 && reply["name"] == "begun")
            #expect(reply.header("x-sandbox-tenant-created") == "true")
            #expect(try await names(sandbox) == ["begun", "default"])
        }
        try await withSandbox(configure: { $0.tenants = .explicit }) { sandbox in
            let reply = try await sandbox.control(method, "/v1/tenants/begun" + path, ["strictness": "strict"])
            #expect(Problem(reply) == Problem(404, "TENANT_UNKNOWN"))
        }
    }

    @Test func `a removed tenant is gone with everything, and its name is free`() async throws {
        try await withSandbox { sandbox in
            let made = try await sandbox.api("POST", "/t/gone" + Self.devices, ["kind": "phone"])
            let header = [("x-sandbox-tenant", "gone")]
            _ = try await sandbox.control("POST", "/v1/snapshots", headers: header)
            let removed = try await sandbox.control("DELETE", "/v1/tenants/gone")
            #expect(removed.status == 204 && removed.text.isEmpty)
            #expect(try await names(sandbox) == ["default"])
            #expect(Problem(try await sandbox.control("GET", "/v1/tenants/gone")) == Problem(404, "TENANT_UNKNOWN"))
            for (method, path) in [("DELETE", ""), ("POST", "/fork")] {
                let reply = try await sandbox.control(method, "/v1/tenants/gone" + path, ["as": "copy"])
                #expect(Problem(reply) == Problem(404, "TENANT_UNKNOWN"), "\(method) \(path)")
            }
            let again = try await sandbox.api("GET", "/t/gone" + Self.devices)
            #expect([again["items"], .optional(again.header("x-sandbox-tenant-created"))] == [[], "true"])
            #expect(try await sandbox.control("GET", "/v1/snapshots", headers: header)["items"] == [])
            let journal = try await sandbox.control("GET", "/v1/journal", headers: header)["items"].array
            #expect(journal?.count == 1 && made.status == 201)
        }
    }

    @Test func `the tenant default is not removed, but reset`() async throws {
        try await withSandbox { sandbox in
            let reply = try await sandbox.control("DELETE", "/v1/tenants/default")
            #expect(Problem(reply) == Problem(409, "TENANT_IS_DEFAULT") && reply.text("detail").contains("reset"))
            #expect(try await sandbox.control("POST", "/v1/tenants/default/reset").status == 200)
        }
    }

    @Test func `what waits in a world ends when the world does`() async throws {
        for end in ["reset", "remove"] {
            try await withSandbox { sandbox in
                let name = try #require(TenantName("waits"))
                _ = try await add(sandbox, "waits")
                let pauses = sandbox.application.pauses
                let pause = pauses.open(in: name)
                let other = pauses.open(in: .default)
                let waiting = Task { await pauses.wait(pause, in: name, milliseconds: 600_000) }
                let path = "/v1/tenants/waits"
                let reply =
                    try await end == "reset"
                    ? sandbox.control("POST", path + "/reset") : sandbox.control("DELETE", path)
                #expect(reply.status < 300)
                #expect(await waiting.value == .tenantEnded)
                #expect(pauses.count(of: .default) == 1)
                other.wake()
            }
        }
    }

    @Test func `a fork goes on like its origin, and apart from it`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let token = try await sandbox.provision(phone, .visa, .visa).text("tokenId")
            _ = try await sandbox.control(
                "PATCH",
                "/v1/tenants/default",
                ["strictness": "lenient", "magicData": false]
            )
            let forked = try await sandbox.control("POST", "/v1/tenants/default/fork", ["as": "copy"])
            #expect(forked.status == 201)
            let origin = try await sandbox.control("GET", "/v1/tenants/default")
            #expect(forked.json == origin.json.replacing("name", "copy"))
            let copy = [("x-sandbox-tenant", "copy")]
            let (first, second) = (
                try await sandbox.control("GET", "/v1/tokens"),
                try await sandbox.control("GET", "/v1/tokens", headers: copy)
            )
            #expect(first["items"] == second["items"] && first["items"].array?.count == 1)
            // The same number of draws: the next id is the same in both.
            let next = try await sandbox.device()
            #expect(
                try await sandbox.api("POST", "/t/copy" + Self.devices, ["kind": "phone"])["deviceId"] == .string(next)
            )
            _ = try await sandbox.control("POST", "/v1/tokens/\(token)/events", ["event": "suspend", "by": "issuer"])
            let apart = try await sandbox.control("GET", "/v1/tokens/\(token)", headers: copy)
            #expect(apart["state"] == "active")
        }
    }

    @Test func `a fork that cannot be made is refused`() async throws {
        try await withSandbox { sandbox in
            _ = try await add(sandbox, "taken")
            let table: [(path: String, new: JSON, problem: Problem)] = [
                ("default", "taken", Problem(409, "TENANT_EXISTS", "/as")),
                ("default", "default", Problem(409, "TENANT_EXISTS", "/as")),
                ("default", "Bad", Problem(400, "TENANT_NAME_INVALID", "/as")),
                ("default", .null, Problem(400, "FIELD_MISSING", "/as")),
                ("nobody", "new", Problem(404, "TENANT_UNKNOWN")),
            ]
            for (path, new, problem) in table {
                let reply = try await sandbox.control("POST", "/v1/tenants/\(path)/fork", ["as": new])
                #expect(Problem(reply) == problem)
            }
            #expect(try await names(sandbox) == ["default", "taken"])
        }
    }

    @Test func `one seed in two tenants gives the same ids`() async throws {
        try await withSandbox { sandbox in
            var ids: [[JSON]] = []
            for name in ["one", "two", "three"] {
                _ = try await add(sandbox, name, [("seed", name == "three" ? 6 : 5)])
                var made: [JSON] = []
                for kind in ["phone", "phone"] {
                    made.append(
                        try await sandbox.api("POST", "/t/\(name)" + Self.devices, ["kind": .string(kind)])["deviceId"]
                    )
                }
                ids.append(made)
            }
            #expect(ids[0] == ids[1] && ids[0] != ids[2])
        }
    }

    @Test func `fifty tenants reset themselves while others work, and nothing leaks`() async throws {
        try await withSandbox { sandbox in
            try await withThrowingTaskGroup { group in
                for number in 0..<50 {
                    group.addTask { try await work(sandbox, "w\(number)", resets: number.isMultiple(of: 2)) }
                }
                try await group.waitForAll()
            }
            #expect(try await names(sandbox).count == 51)
        }
    }

    /// Devices by name: each must be seen in its own tenant only, and none from before a reset.
    private func work(_ sandbox: TestSandbox, _ tenant: String, resets: Bool) async throws {
        let header = [("x-sandbox-tenant", tenant)]
        for round in 0..<3 {
            var wanted: [JSON] = resets || round == 0 ? [] : (0..<round * 2).map { .string("\(tenant)-\($0)") }
            for index in 0..<2 {
                let name = JSON.string(resets ? "\(tenant)-\(round)-\(index)" : "\(tenant)-\(round * 2 + index)")
                let body: JSON = ["kind": "phone", "name": name]
                let made = try await sandbox.send(.api, "POST", Self.devices, body.bytes, header)
                #expect(made.status == 201, "\(made.summary)")
                wanted.append(name)
            }
            let seen = try await sandbox.api("GET", Self.devices, headers: header)["items"].array ?? []
            #expect(seen.compactMap { $0["name"] } == wanted)
            let journal = try await sandbox.control("GET", "/v1/journal", headers: header)["items"].array ?? []
            let count = resets ? 3 : 3 * (round + 1)
            #expect(journal.count == count && journal.allSatisfy { $0["tenant"] == .string(tenant) })
            guard resets else { continue }
            #expect(try await sandbox.control("POST", "/v1/tenants/\(tenant)/reset").status == 200)
        }
    }

    @Test func `a tenant that is made, used and removed by many at once is never half there`() async throws {
        try await withSandbox { sandbox in
            try await withThrowingTaskGroup { group in
                for number in 0..<24 {
                    group.addTask {
                        for _ in 0..<6 {
                            switch number % 4 {
                            case 0: _ = try await add(sandbox, "busy")
                            case 1: _ = try await sandbox.control("DELETE", "/v1/tenants/busy")
                            case 2: _ = try await sandbox.control("POST", "/v1/tenants/busy/reset")
                            default:
                                let reply = try await sandbox.api("GET", "/t/busy/d1/client/v1/extension-status")
                                // The base world is there, or the tenant is not.
                                let cards = try await sandbox.control(
                                    "GET",
                                    "/v1/cards",
                                    headers: [("x-sandbox-tenant", "busy")]
                                )
                                let count = cards["items"].array?.count
                                #expect(cards.status == 404 || (count ?? 0) > 3, "\(cards.summary)")
                                #expect(reply.status < 500, "\(reply.summary)")
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}

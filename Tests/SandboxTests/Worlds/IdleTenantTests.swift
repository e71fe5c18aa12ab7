import Core
import Sandbox
import SandboxTesting
import Testing
import Traffic
import Wire

/// Tenants that nobody uses are dropped.
struct IdleTenantTests {
    private static let devices = "/wallet/apple/devices"

    private func names(_ sandbox: TestSandbox) async throws -> [String] {
        try await sandbox.application.worlds.store.tenants().map(\.text)
    }

    /// The sweep at the sandbox's time.
    private func sweep(_ sandbox: TestSandbox) async throws -> [String] {
        try await sandbox.application.idleTenants.sweep(at: sandbox.clock.now).map(\.text)
    }

    @Test func `a tenant without a request for an hour is dropped, and default never`() async throws {
        try await withSandbox { sandbox in
            _ = try await sandbox.api("GET", "/t/old" + Self.devices)
            _ = try await sandbox.api("GET", "/t/young" + Self.devices)
            sandbox.clock.advance(seconds: 3_599)
            _ = try await sandbox.api("GET", "/t/young" + Self.devices)
            #expect(try await sweep(sandbox) == [])
            sandbox.clock.advance(seconds: 1)
            #expect(try await sweep(sandbox) == ["old"])
            #expect(try await names(sandbox) == ["default", "young"])
            // Its journal went with it; a request makes it anew.
            let again = try await sandbox.api("GET", "/t/old" + Self.devices)
            #expect(again.header("x-sandbox-tenant-created") == "true")
            let journal = try await sandbox.control("GET", "/v1/journal", headers: [("x-sandbox-tenant", "old")])
            #expect(journal["items"].array?.count == 1)
            sandbox.clock.advance(seconds: 86_400)
            #expect(try await sweep(sandbox) == ["old", "young"])
            #expect(try await names(sandbox) == ["default"])
        }
    }

    @Test func `each use counts: a request on either port, a reset, being made`() async throws {
        try await withSandbox { sandbox in
            for name in ["api", "control", "reset", "made"] where name != "made" {
                _ = try await sandbox.control("POST", "/v1/tenants", ["name": .string(name)])
            }
            sandbox.clock.advance(seconds: 3_000)
            _ = try await sandbox.control("POST", "/v1/tenants", ["name": "made"])
            _ = try await sandbox.api("GET", Self.devices, headers: [("x-sandbox-tenant", "api")])
            _ = try await sandbox.control("GET", "/v1/cards", headers: [("x-sandbox-tenant", "control")])
            _ = try await sandbox.control("POST", "/v1/tenants/reset/reset")
            sandbox.clock.advance(seconds: 3_000)
            #expect(try await sweep(sandbox) == [])
            sandbox.clock.advance(seconds: 3_000)
            #expect(try await sweep(sandbox) == ["api", "control", "made", "reset"])
        }
    }

    @Test func `a tenant in which a request waits is kept`() async throws {
        try await withSandbox { sandbox in
            _ = try await sandbox.api("GET", "/t/waits" + Self.devices)
            let (name, pauses) = (try #require(TenantName("waits")), sandbox.application.pauses)
            let pause = pauses.open(in: name)
            sandbox.clock.advance(seconds: 10_000)
            #expect(try await sweep(sandbox) == [])
            pause.wake()
            _ = await pauses.wait(pause, in: name, milliseconds: 0)
            #expect(try await sweep(sandbox) == ["waits"])
        }
    }

    @Test(arguments: [(600, true), (-600, true), (3_600, true), (3_601, false), (-3_600, false)])
    func `a tenant with a planned event near its time is kept`(_ distance: Int64, _ isKept: Bool) async throws {
        try await withSandbox { sandbox in
            _ = try await sandbox.api("GET", "/t/planned" + Self.devices)
            let name = try #require(TenantName("planned"))
            let at = sandbox.clock.now.adding(seconds: 10_000 + distance)
            try await sandbox.application.worlds.write(name) { try $0.plan(.expireToken("none"), at: at) }
            sandbox.clock.advance(seconds: 10_000)
            #expect(try await sweep(sandbox) == (isKept ? [] : ["planned"]))
        }
    }

    @Test func `real time counts, whatever a tenant's clock says`() async throws {
        try await withSandbox { sandbox in
            for name in ["frozen", "ahead"] {
                _ = try await sandbox.api("GET", "/t/\(name)" + Self.devices)
                let clock =
                    name == "frozen"
                    ? TenantClock(mode: .frozen(Instant(seconds: 0)))
                    : TenantClock(mode: .system(offsetMilliseconds: 90_000_000))
                let tenant = try #require(TenantName(name))
                try await sandbox.application.worlds.write(tenant) { $0.tenant.clock = clock }
            }
            #expect(try await sweep(sandbox) == [])
            sandbox.clock.advance(seconds: 3_600)
            #expect(try await sweep(sandbox) == ["ahead", "frozen"])
        }
    }

    @Test(arguments: [(0, []), (60, ["soon"])] as [(Int64, [String])])
    func `the time is a setting, and 0 is never`(_ seconds: Int64, _ dropped: [String]) async throws {
        try await withSandbox(configure: { $0.tenantIdleSeconds = seconds }) { sandbox in
            _ = try await sandbox.api("GET", "/t/soon" + Self.devices)
            sandbox.clock.advance(seconds: 61)
            #expect(try await sweep(sandbox) == dropped)
        }
    }

    @Test func `a file keeps what was made for ever, and what was only named for a week`() async throws {
        try await withFolder { folder in
            let path = folder + "/sandbox.db"
            try await withSandbox(configure: { $0.store = .file(path) }) { sandbox async throws in
                _ = try await sandbox.api("GET", "/t/named" + Self.devices)
                #expect(try await sandbox.control("POST", "/v1/tenants", ["name": "made"]).status == 201)
                #expect(try await sandbox.control("POST", "/v1/tenants/named/fork", ["as": "forked"]).status == 201)
                #expect(try await sandbox.control("POST", "/v1/tenants/made/reset", body: nil).status < 300)
                sandbox.clock.advance(seconds: 7 * 86_400 - 1)
                #expect(try await sweep(sandbox) == [])
                sandbox.clock.advance(seconds: 1)
                #expect(try await sweep(sandbox) == ["named"])
            }
            try await withSandbox(configure: { $0.store = .file(path) }) { sandbox async throws in
                sandbox.clock.advance(seconds: 365 * 86_400)
                #expect(try await sweep(sandbox) == [])
                let names = try await sandbox.control("GET", "/v1/tenants")["items"].array?.compactMap {
                    $0["name"]?.string
                }
                #expect(names == ["default", "forked", "made"])
            }
        }
        // Memory has no room for what nobody uses.
        try await withSandbox { sandbox async throws in
            #expect(try await sandbox.control("POST", "/v1/tenants", ["name": "made"]).status == 201)
            sandbox.clock.advance(seconds: 3_600)
            #expect(try await sweep(sandbox) == ["made"])
        }
    }

    @Test func `a tenant of the file has its time from the start`() async throws {
        try await withFolder { folder in
            let path = folder + "/sandbox.db"
            try await withSandbox(configure: { $0.store = .file(path) }) { sandbox async throws in
                _ = try await sandbox.api("GET", "/t/kept" + Self.devices)
            }
            try await withSandbox(configure: {
                $0.store = .file(path)
                $0.tenantIdleSeconds = 3_600
            }) { sandbox async throws in
                #expect(try await sweep(sandbox) == [])
                sandbox.clock.advance(seconds: 3_599)
                #expect(try await sweep(sandbox) == [])
                sandbox.clock.advance(seconds: 1)
                #expect(try await sweep(sandbox) == ["kept"])
            }
        }
    }

    @Test func `sweeps and requests side by side: a request never loses its world`() async throws {
        try await withSandbox(configure: { $0.tenantIdleSeconds = 1 }) { sandbox in
            try await withThrowingTaskGroup { group in
                for number in 0..<8 {
                    group.addTask {
                        for _ in 0..<20 {
                            if number == 0 {
                                sandbox.clock.advance(seconds: 1)
                                _ = try await sweep(sandbox)
                            } else {
                                let reply = try await sandbox.api("GET", "/t/t\(number)" + Self.devices)
                                #expect([200, 404].contains(reply.status), "\(reply.summary)")
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func `the setting comes by flag, environment or file`() throws {
        func read(_ arguments: [String], _ environment: [String: String] = [:], file: String = "") throws -> Int64 {
            try ConfigurationReader.read(arguments, environment: environment) { _ in file }.idleSeconds
        }
        let variable = "TSP_SANDBOX_TENANT_IDLE"
        #expect(try read(["--store", "memory"]) == 3_600)
        #expect(try read([]) == 7 * 86_400)
        #expect(try read(["--tenant-idle", "0"]) == 0)
        #expect(try read(["--tenant-idle", "5"], [variable: "6"]) == 5)
        #expect(try read([], [variable: "6"]) == 6)
        #expect(try read(["--config", "f"], file: #"{"tenant-idle":7}"#) == 7)
        for text in ["-1", "x", "1.5", "3155760001", "99999999999999999999"] {
            #expect(throws: UsageFault.self) { try read(["--tenant-idle=\(text)"]) }
        }
    }
}

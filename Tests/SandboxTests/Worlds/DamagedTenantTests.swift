import Core
import Sandbox
import SandboxTesting
import Testing
import Wire

/// A tenant whose own record cannot be read does not trouble the others, and can be got rid of.
struct DamagedTenantTests {
    private static let name = TenantName("broken") ?? .default

    /// Makes the tenant, with a snapshot, and then its record unreadable.
    private func damage(_ sandbox: TestSandbox) async throws {
        _ = try await sandbox.control("POST", "/v1/tenants", ["name": "broken"])
        let headers = [("x-sandbox-tenant", "broken")]
        let kept = try await sandbox.send(.control, "POST", "/v1/snapshots", [], headers)
        try #require(kept.status == 201, "\(kept.summary)")
        try await sandbox.application.worlds.store.write(Self.name) { writer in
            try writer.put(DamagedTenant())
        }
    }

    @Test func `the list holds the others and names it`() async throws {
        try await withSandbox { sandbox in
            #expect(try await sandbox.control("GET", "/v1/tenants").json["damaged"] == nil)
            try await damage(sandbox)
            let reply = try await sandbox.control("GET", "/v1/tenants")
            #expect(reply.status == 200)
            #expect(reply["items"].array?.map { $0["name"] } == ["default"])
            #expect(reply["damaged"] == ["broken"])
        }
    }

    @Test func `its own calls say what is wrong`() async throws {
        try await withSandbox { sandbox in
            try await damage(sandbox)
            let reply = try await sandbox.control("GET", "/v1/tenants/broken")
            #expect(Problem(reply) == Problem(503, "STORE_UNAVAILABLE"), "\(reply.summary)")
            #expect(reply.text.contains("damaged") && !reply.text.contains("when there is room"))
        }
    }

    @Test func `a reset makes it anew`() async throws {
        try await withSandbox { sandbox in
            try await damage(sandbox)
            let reply = try await sandbox.control("POST", "/v1/tenants/broken/reset")
            #expect(reply.status == 200 && reply["name"] == "broken", "\(reply.summary)")
            #expect(try await sandbox.control("GET", "/v1/tenants")["items"].array?.count == 2)
            let headers = [("x-sandbox-tenant", "broken")]
            #expect(try await sandbox.api("GET", "/wallet/apple/devices", headers: headers).status == 200)
            // Its snapshots stay, and the next one is another.
            let next = try await sandbox.send(.control, "POST", "/v1/snapshots", [], headers)
            #expect(next.status == 201, "\(next.summary)")
            let snapshots = try await sandbox.control("GET", "/v1/snapshots", headers: headers)["items"].array ?? []
            #expect(Set(snapshots.compactMap { $0["id"]?.string }).count == 2)
        }
    }

    @Test func `it can be deleted, and made again`() async throws {
        try await withSandbox { sandbox in
            try await damage(sandbox)
            #expect(try await sandbox.control("POST", "/v1/tenants", ["name": "broken"]).status == 409)
            #expect(try await sandbox.control("DELETE", "/v1/tenants/broken").status == 204)
            #expect(try await sandbox.control("POST", "/v1/tenants", ["name": "broken"]).status == 201)
        }
    }
}

/// A tenant's own record that is not one.
private struct DamagedTenant: Record {
    static let kind = Tenant.kind
    var recordID: String { Tenant.recordID }
    var document: JSON = ["seed": "1", "draws": "many"]

    init() {}
    init(document: JSON) { self.document = document }
}

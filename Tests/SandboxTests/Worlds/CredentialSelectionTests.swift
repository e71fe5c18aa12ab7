import Core
import Sandbox
import SandboxTesting
import Testing
import Wire

@testable import Networks

/// A bearer that D1 gave out leads to its tenant when the request names none.
struct CredentialSelectionTests {
    private static let entries = "/d1/client/v1/pass-entries"
    private static let other = TenantName("other") ?? .default

    /// A session of D1 and a bearer of its issuer API in a tenant; gives their secrets.
    private func secrets(_ sandbox: TestSandbox, in name: TenantName, _ mark: String) async throws -> [String] {
        let expiry = sandbox.clock.now.adding(seconds: 600)
        try await sandbox.application.worlds.write(name) { world in
            try world.store.put(
                D1Session(
                    token: "session-\(mark)",
                    deviceID: "dev",
                    application: TestSandbox.walletExtensionUI,
                    context: .extension,
                    members: [],
                    expiresAt: expiry
                )
            )
            try world.store.put(D1Bearer(token: "bearer-\(mark)", issuerID: "DEMOBANK01", expiresAt: expiry))
        }
        return ["session-\(mark)", "bearer-\(mark)"]
    }

    private func logout(
        _ sandbox: TestSandbox,
        _ token: String,
        _ more: [(String, String)] = []
    ) async throws -> TestReply {
        try await sandbox.api("POST", "/d1/client/v1/logout", headers: [("authorization", "Bearer \(token)")] + more)
    }

    private func entries(_ sandbox: TestSandbox, _ tenant: String) async throws -> [JSON] {
        let header = [("x-sandbox-tenant", tenant)]
        return try await sandbox.control("GET", "/v1/journal", headers: header)["items"].array ?? []
    }

    @Test func `a bearer of one tenant selects it, without an echo`() async throws {
        try await withSandbox { sandbox in
            _ = try await sandbox.control("POST", "/v1/tenants", ["name": "other", "seed": 5])
            let made = try await secrets(sandbox, in: Self.other, "one")
            let session = try await logout(sandbox, made[0])
            #expect([String(session.status), session.header("x-sandbox-tenant")] == ["204", nil])
            let card = "/banking/v1/issuers/DEMOBANK01/cards/card-visa"
            let banking = try await sandbox.api("GET", card, headers: [("authorization", "bearer \(made[1])")])
            #expect(banking.status == 200, "\(banking.summary)")
            #expect(banking.header("x-sandbox-tenant") == nil)
            let endpoints = try await entries(sandbox, "other").compactMap { $0["operation"]?.string }
            #expect(endpoints.count == 2 && endpoints.last == "d1.logout")
            #expect(try await entries(sandbox, "default") == [])
        }
    }

    @Test func `a request that names its tenant is not asked for its bearer`() async throws {
        try await withSandbox { sandbox in
            _ = try await sandbox.control("POST", "/v1/tenants", ["name": "other"])
            let made = try await secrets(sandbox, in: Self.other, "two")
            let named = try await logout(sandbox, made[0], [("x-sandbox-tenant", "third")])
            #expect([String(named.status), named.header("x-sandbox-tenant")] == ["401", "third"])
            let token = [("authorization", "Bearer \(made[0])")]
            let prefixed = try await sandbox.api("POST", "/t/default/d1/client/v1/logout", headers: token)
            #expect([String(prefixed.status), prefixed.header("x-sandbox-tenant")] == ["401", "default"])
            #expect(try await entries(sandbox, "other") == [])
        }
    }

    @Test func `a bearer that nobody holds, and none at all, are of the tenant default`() async throws {
        try await withSandbox { sandbox in
            for headers in [[("authorization", "Bearer nobody")], [("authorization", "Basic eDp5")], []] {
                let reply = try await sandbox.api("POST", "/d1/client/v1/logout", headers: headers)
                #expect(reply.status == 401 && !reply.diagnosis.contains("CREDENTIAL_AMBIGUOUS"))
            }
            #expect(try await entries(sandbox, "default").count == 3)
        }
    }

    @Test func `a bearer of two tenants selects neither, and a refusal says so`() async throws {
        try await withSandbox { sandbox in
            for name in ["other", "third"] {
                _ = try await sandbox.control("POST", "/v1/tenants", ["name": .string(name)])
                _ = try await secrets(sandbox, in: try #require(TenantName(name)), "same")
            }
            let refused = try await logout(sandbox, "session-same")
            #expect(refused.status == 401 && refused.diagnosis.count == 2)
            #expect(
                refused.diagnosis.last == "CREDENTIAL_AMBIGUOUS" && refused.diagnosis.first != "CREDENTIAL_AMBIGUOUS"
            )
            let entry = try await entries(sandbox, "default").first
            let check = entry?["checks"]?.array?.first { $0["code"] == "CREDENTIAL_AMBIGUOUS" }
            #expect([check?["passed"], check?["evidence"]] == [false, "2 tenants hold it"])
            // Not refused, because the tenant default holds it too: a warning.
            _ = try await secrets(sandbox, in: .default, "same")
            let taken = try await logout(sandbox, "session-same")
            #expect(taken.status == 204 && taken.diagnosis == [])
            let later = try await entries(sandbox, "default").first
            #expect(later?["diagnosis"] == ["CREDENTIAL_AMBIGUOUS"])
            let warning = later?["checks"]?.array?.first { $0["code"] == "CREDENTIAL_AMBIGUOUS" }
            #expect([warning?["passed"], warning?["evidence"]] == [true, "3 tenants hold it"])
        }
    }

    @Test func `the answer on the wire is the same with an ambiguous bearer as with an unknown one`() async throws {
        try await withSandbox { sandbox in
            let unknown = try await logout(sandbox, "session-fork")
            _ = try await sandbox.control("POST", "/v1/tenants", ["name": "other"])
            _ = try await secrets(sandbox, in: Self.other, "fork")
            _ = try await sandbox.control("POST", "/v1/tenants/other/fork", ["as": "third"])
            let ambiguous = try await logout(sandbox, "session-fork")
            #expect([ambiguous.status, 401] == [unknown.status, 401] && ambiguous.text == unknown.text)
            // When one of them is gone, the other is meant.
            _ = try await sandbox.control("DELETE", "/v1/tenants/third")
            #expect(try await logout(sandbox, "session-fork").status == 204)
        }
    }

    @Test func `credentials that are over still lead to their tenant, which says so`() async throws {
        try await withSandbox { sandbox in
            _ = try await sandbox.control("POST", "/v1/tenants", ["name": "other"])
            let made = try await secrets(sandbox, in: Self.other, "late")
            sandbox.clock.advance(seconds: 601)
            let reply = try await logout(sandbox, made[0])
            #expect(reply.status == 401)
            #expect(try await entries(sandbox, "other").count == 1)
        }
    }
}

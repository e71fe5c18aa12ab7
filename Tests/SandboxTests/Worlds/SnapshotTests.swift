import Core
import Sandbox
import SandboxTesting
import Testing
import Traffic
import Web
import Wire

/// `/v1/snapshots`.
struct SnapshotTests {
    private func take(_ sandbox: TestSandbox, _ headers: [(String, String)] = []) async throws -> TestReply {
        try await sandbox.control("POST", "/v1/snapshots", headers: headers)
    }

    private func ids(_ sandbox: TestSandbox, _ headers: [(String, String)] = []) async throws -> [String] {
        let items = try await sandbox.control("GET", "/v1/snapshots", headers: headers)["items"].array
        return items?.compactMap { $0["id"]?.string } ?? []
    }

    @Test func `a world goes back to its snapshot, as often as a test likes`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let token = try await sandbox.provision(phone, .visa, .visa).text("tokenId")
            let taken = try await take(sandbox)
            #expect(taken.status == 201 && taken.json.object?.keys == ["id", "at", "records", "bytes"])
            #expect(taken["at"] == "2030-01-01T00:00:00Z")
            #expect(try await sandbox.control("GET", "/v1/snapshots")["items"] == [taken.json])
            let path = "/v1/snapshots/\(taken.text("id"))/restore"
            var next: [String] = []
            for _ in 0..<2 {
                next.append(try await sandbox.device())
                _ = try await sandbox.control("PATCH", "/v1/tenants/default", ["strictness": "strict"])
                _ = try await sandbox.control(
                    "POST",
                    "/v1/tokens/\(token)/events",
                    ["event": "delete", "by": "issuer"]
                )
                let card = try await sandbox.control("POST", "/v1/cards/test-visa/events", ["event": "replace"])
                #expect(card.text("panSuffix") != String(TestCard.visa.pan.suffix(4)))
                let count = try await sandbox.control("GET", "/v1/journal")["items"].array?.count
                let restored = try await sandbox.control("POST", path)
                #expect(restored.status == 204 && restored.text.isEmpty)
                // Records, numbers, settings; the journal stays.
                #expect(try await sandbox.token(token)["state"] == "active")
                #expect(try await sandbox.control("GET", "/v1/tenants/default")["strictness"] == "documented")
                let devices = try await sandbox.api("GET", "/wallet/apple/devices")["items"].array
                #expect(devices?.compactMap { $0["deviceId"]?.string } == [phone])
                let passes = try await sandbox.passes(phone, query: "last4=\(TestCard.visa.pan.suffix(4))")
                #expect(passes["localPasses"].array?.count == 1)
                let after = try await sandbox.control("GET", "/v1/journal")["items"].array?.count
                #expect(after == (count ?? 0) + 2)
            }
            // The draws too: the same next id.
            #expect(next[0] == next[1])
        }
    }

    @Test func `a snapshot has the clock it was taken with`() async throws {
        try await withSandbox { sandbox in
            let taken = try await take(sandbox)
            try await sandbox.change { $0.tenant.clock = TenantClock(mode: .frozen(Instant(seconds: 2_000_000_000))) }
            let later = try await take(sandbox)
            #expect(later["at"] == "2033-05-18T03:33:20Z")
            _ = try await sandbox.control("POST", "/v1/snapshots/\(taken.text("id"))/restore")
            #expect(try await take(sandbox)["at"] == "2030-01-01T00:00:00Z")
            let headers = [("x-sandbox-tenant", "default")]
            _ = try await sandbox.api("GET", "/wallet/apple/devices", headers: headers)
            let entry = try await sandbox.control("GET", "/v1/journal?limit=1")["items"].array?.first
            #expect(entry?["at"]?.string?.hasPrefix("2030-01-01") == true)
        }
    }

    @Test func `a snapshot that there is not is refused, and one that is deleted is gone`() async throws {
        try await withSandbox { sandbox in
            let unknown = Problem(404, "SNAPSHOT_UNKNOWN")
            let pause = sandbox.application.pauses.open(in: .default)
            #expect(Problem(try await sandbox.control("POST", "/v1/snapshots/none/restore")) == unknown)
            // It disturbs nobody.
            pause.wake()
            #expect(await sandbox.application.pauses.wait(pause, in: .default, milliseconds: 0) == .woken)
            #expect(Problem(try await sandbox.control("DELETE", "/v1/snapshots/none")) == unknown)
            let first = try await take(sandbox).text("id")
            #expect(try await sandbox.control("DELETE", "/v1/snapshots/\(first)").status == 204)
            #expect(Problem(try await sandbox.control("POST", "/v1/snapshots/\(first)/restore")) == unknown)
            #expect(try await ids(sandbox) == [])
            // An id is never given twice, also after a restore.
            let second = try await take(sandbox).text("id")
            _ = try await sandbox.control("POST", "/v1/snapshots/\(second)/restore")
            let third = try await take(sandbox).text("id")
            #expect(Set([first, second, third]).count == 3)
        }
    }

    @Test func `snapshots are the tenant's own, outlive its reset, and stand in no export`() async throws {
        try await withSandbox { sandbox in
            let other = [("x-sandbox-tenant", "other")]
            let mine = try await take(sandbox).text("id")
            #expect(try await ids(sandbox, other) == [])
            let foreign = try await sandbox.control("POST", "/v1/snapshots/\(mine)/restore", headers: other)
            #expect(Problem(foreign) == Problem(404, "SNAPSHOT_UNKNOWN"))
            let world = try await sandbox.control("GET", "/v1/export")
            #expect(!world.text.contains(mine))
            _ = try await sandbox.control("POST", "/v1/tenants/default/reset")
            #expect(try await ids(sandbox) == [mine])
            #expect(try await sandbox.send(.control, "POST", "/v1/import", world.response.body, []).status == 204)
            #expect(try await ids(sandbox) == [mine])
            _ = try await sandbox.control("POST", "/v1/tenants/default/fork", ["as": "copy"])
            #expect(try await ids(sandbox, [("x-sandbox-tenant", "copy")]) == [])
        }
    }

    @Test func `a tenant keeps sixteen snapshots`() async throws {
        try await withSandbox { sandbox in
            for _ in 0..<16 { #expect(try await take(sandbox).status == 201) }
            #expect(Problem(try await take(sandbox)) == Problem(409, "SNAPSHOT_LIMIT"))
            let first = try await ids(sandbox)
            #expect(first.count == 16)
            _ = try await sandbox.control("DELETE", "/v1/snapshots/\(first[3])")
            #expect(try await take(sandbox).status == 201)
            #expect(try await ids(sandbox).count == 16)
        }
    }

    @Test func `a tenant's snapshots have a bound in bytes`() async throws {
        try await withSandbox { sandbox in
            // Three such worlds are too many.
            let large = JSON.string(String(repeating: "a", count: 22 << 20))
            try await sandbox.change { world in
                var issuer = try #require(try world.store.record(Issuer.self, "DEMOBANK02"))
                issuer.extras["padding"] = large
                try world.store.put(issuer)
            }
            #expect(try await [take(sandbox).status, take(sandbox).status] == [201, 201])
            let refused = try await take(sandbox)
            #expect(Problem(refused) == Problem(409, "SNAPSHOT_BYTES"), "\(refused.summary)")
            #expect(try await ids(sandbox).count == 2)
        }
    }

    @Test func `tenants and snapshots survive the end of the process`() async throws {
        try await withFolder { folder in
            let (path, copy) = (folder + "/sandbox.db", folder + "/copy.db")
            try await withSandbox(configure: { $0.store = .file(path) }) { sandbox async throws in
                _ = try await sandbox.control("POST", "/v1/tenants", ["name": "kept", "seed": 9])
                let header = [("x-sandbox-tenant", "kept")]
                let made = try await sandbox.api("POST", "/t/kept/wallet/apple/devices", ["kind": "phone"])
                let taken = try await take(sandbox, header)
                _ = try await sandbox.control("POST", "/v1/tenants/kept/reset")
                _ = try await sandbox.control("DELETE", "/v1/tenants/gone")
                try copyStore(path, to: copy)
                // As the process left it when it was killed.
                try await withSandbox(configure: { $0.store = .file(copy) }) { second async throws in
                    let names = try await second.control("GET", "/v1/tenants")["items"].array?.compactMap { $0["name"] }
                    #expect(names == ["default", "kept"])
                    #expect(try await second.control("GET", "/v1/tenants/kept")["seed"] == 9)
                    #expect(try await second.control("GET", "/v1/snapshots", headers: header)["items"] == [taken.json])
                    let id = taken.text("id")
                    let restored = try await second.control("POST", "/v1/snapshots/\(id)/restore", headers: header)
                    #expect(restored.status == 204)
                    let devices = try await second.api("GET", "/t/kept/wallet/apple/devices")
                    #expect(devices["items"] == [made.json])
                }
            }
        }
    }
}

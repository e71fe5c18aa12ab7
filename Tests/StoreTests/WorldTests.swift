import Core
import Testing
import Wire

@testable import Store

/// Whole worlds: read, replaced, kept as snapshots, and found by a credential.
@Suite("Worlds in the store")
struct WorldTests {
    private static let card = VaultOwner(kind: "card", id: "a")

    private func fill(_ store: SQLiteStore) async throws {
        try await store.write(.default) { writer throws in
            try writer.put("b", 1, keys: [RecordKey("colour", "red")])
            try writer.put("a", 2, keys: [RecordKey("colour", "red"), RecordKey("size", "small")])
            try writer.setNumber("4111111111111111", of: Self.card)
        }
    }

    @Test(arguments: Backend.allCases)
    func `a world that was read is written elsewhere, in one piece and in order`(_ backend: Backend) async throws {
        try await withStore(backend) { store async throws in
            try await fill(store)
            #expect(try await store.read(.other) { try $0.everything(of: .other) } == nil)
            try await store.write(.other) { writer throws in
                try writer.put("old")
                try writer.setNumber("4000000000000002", of: VaultOwner(kind: "card", id: "old"))
                let world = try writer.everything(of: .default)
                try writer.replaceEverything(with: try #require(world))
                #expect(try writer.ids(RecordKey("colour", "red")) == ["b", "a"])
            }
            let (first, second) = try await store.read(.other) { reader throws in
                #expect(try reader.value("old") == nil && reader.value("a") == 2)
                #expect(try reader.ids() == ["b", "a"] && reader.ids(RecordKey("size", "small")) == ["a"])
                #expect(try reader.owners(ofNumber: "4111111111111111") == [Self.card])
                #expect(try reader.owners(ofNumber: "4000000000000002") == [])
                return (try reader.everything(of: .default), try reader.everything(of: .other))
            }
            #expect(first == second && first?.rows.map(\.id) == ["b", "a"])
        }
    }

    @Test func `a replacement that fails changes nothing`() async throws {
        try await withStore(.memory) { store async throws in
            try await fill(store)
            let before = try await store.read(.default) { try $0.everything(of: .default) }
            await #expect(throws: Refusal.self) {
                try await store.write(.default) { writer throws in
                    try writer.replaceEverything(with: StoredWorld())
                    throw Refusal()
                }
            }
            #expect(try await store.read(.default) { try $0.everything(of: .default) } == before)
            #expect(try await store.value("a") == 2)
        }
    }

    @Test func `a document that was replaced is not answered from memory`() async throws {
        try await withStore(.memory) { store async throws in
            try await fill(store)
            #expect(try await store.value("a") == 2)
            let row = StoredWorld.Row(kind: "thing", id: "a", keys: [], document: Array(#"{"id":"a","value":7}"#.utf8))
            try await store.write(.default) { try $0.replaceEverything(with: StoredWorld(rows: [row])) }
            #expect(try await store.value("a") == 7)
        }
    }

    @Test func `tenants are counted inside a transaction`() async throws {
        try await withStore(.memory) { store async throws in
            #expect(try await store.read(.default) { try $0.tenantCount() } == 0)
            try await fill(store)
            let counts = try await store.write(.other) { writer throws in
                let before = try writer.tenantCount()
                try writer.put("x")
                return [before, try writer.tenantCount()]
            }
            #expect(counts == [1, 2])
        }
    }

    @Test(arguments: Backend.allCases)
    func `a snapshot outlives what is done to the world`(_ backend: Backend) async throws {
        try await withStore(backend) { store async throws in
            try await fill(store)
            let at = Instant(milliseconds: 1_234)
            let (made, before) = try await store.write(.default) { writer throws in
                let world = try #require(try writer.everything(of: .default))
                return (try writer.keepSnapshot("one", at: at, world), world)
            }
            try await store.write(.default) { writer throws in
                try writer.removeEverything()
                try writer.put("c")
            }
            try await store.read(.default) { reader throws in
                #expect(try reader.snapshots() == [made] && made.at == at && made.records == 2 && made.bytes > 0)
                #expect(try reader.snapshot("one") == before && reader.snapshot("two") == nil)
                // The snapshot's numbers are nobody's.
                #expect(try reader.owners(ofNumber: "4111111111111111") == [])
            }
            #expect(try await store.read(.other) { try $0.snapshots() } == [])
            #expect(try await store.read(.other) { try $0.snapshot("one") } == nil)
            #expect(try await store.tenants() == [.default])
            let removed = try await store.write(.default) {
                [try $0.removeSnapshot("one"), try $0.removeSnapshot("one")]
            }
            #expect(removed == [true, false])
            #expect(try await store.read(.default) { try $0.snapshot("one") } == nil)
        }
    }

    @Test func `no number of a snapshot stands outside the vault, and none stays when it is removed`() async throws {
        let directory = try TestDirectory()
        let path = directory.file("store.db")
        let number = "4111111111111111"
        try await withStore(StoreConfiguration(.file(path))) { store async throws in
            try await fill(store)
            _ = try await store.write(.default) { writer throws in
                try writer.keepSnapshot(
                    "one",
                    at: Instant(seconds: 0),
                    try #require(try writer.everything(of: .default))
                )
            }
            try await store.write(.default) { try $0.removeEverything() }
        }
        #expect(try directory.holds(number))
        let content = try Database(path).text("SELECT group_concat(CAST(content AS TEXT)) FROM snapshots")
        #expect(!content.contains(number) && content.contains("thing"))
        try await withStore(StoreConfiguration(.file(path))) { store async throws in
            #expect(try await store.read(.default) { try $0.snapshot("one")?.numbers.map(\.digits) } == [number])
            _ = try await store.write(.default) { try $0.removeSnapshot("one") }
        }
        #expect(try !directory.holds(number))
    }

    @Test func `a credential leads to the tenants that hold it`() async throws {
        try await withStore(.memory) { store async throws in
            for (tenant, kind) in [(TenantName.default, "d1Session"), (.other, "d1Bearer"), (.other, "thing")] {
                try await store.write(tenant) { writer in
                    try writer.put(kind: kind, id: "\(tenant.text)-\(kind)", keys: [], document: 1)
                    if kind != "thing" { try writer.put(kind: kind, id: "both", keys: [], document: 1) }
                }
            }
            #expect(try await store.tenants(holdingCredential: "default-d1Session") == [.default])
            #expect(try await store.tenants(holdingCredential: "other-d1Bearer") == [.other])
            #expect(try await store.tenants(holdingCredential: "other-thing") == [])
            #expect(try await store.tenants(holdingCredential: "both") == [.default, .other])
        }
    }

    @Test func `a client certificate leads to the tenants whose issuers registered it`() async throws {
        try await withStore(.memory) { store async throws in
            func put(_ tenant: TenantName, _ kind: String, _ keys: [RecordKey]) async throws {
                try await store.write(tenant) { try $0.put(kind: kind, id: "one", keys: keys, document: 1) }
            }
            try await put(.other, "issuer", [RecordKey("clientCertificate", "a"), RecordKey("clientCertificate", "b")])
            try await put(.default, "issuer", [RecordKey("clientCertificate", "b"), RecordKey("name", "c")])
            try await put(.default, "thing", [RecordKey("clientCertificate", "a")])
            try await put(.default, "d1Bearer", [])
            #expect(try await store.tenants(holdingCredential: "a") == [.other])
            #expect(try await store.tenants(holdingCredential: "b") == [.default, .other])
            #expect(try await store.tenants(holdingCredential: "c") == [])
            #expect(try await store.tenants(holdingCredential: "one") == [.default])
            try await put(.other, "issuer", [])
            #expect(try await store.tenants(holdingCredential: "a") == [])
        }
    }

    @Test func `the index on credentials is of the kinds that are credentials, and is used`() async throws {
        let directory = try TestDirectory()
        let path = directory.file("store.db")
        try await withStore(StoreConfiguration(.file(path))) { _ in }
        let kinds = RecordKinds.credentials.map { "'\($0.kind)'" }.joined(separator: ", ")
        let database = try Database(path)
        let sql = try database.text("SELECT sql FROM sqlite_master WHERE name = 'records_of_credentials'")
        #expect(sql.contains("kind IN (\(kinds))"))
        let query = "SELECT DISTINCT tenant FROM records WHERE kind IN (\(kinds)) AND id = ? ORDER BY tenant"
        let plan = try Statement("EXPLAIN QUERY PLAN " + query, on: database).all("x") { row in row.text(3) }
        #expect(plan.contains { $0.contains("records_of_credentials") })
        let issuer = Issuer.kind
        let certificates =
            "SELECT tenant FROM record_keys WHERE kind = '\(issuer)' AND name = 'clientCertificate' AND value = ?"
        let search = try Statement("EXPLAIN QUERY PLAN " + certificates, on: database).all("x") { row in row.text(3) }
        #expect(search.contains { $0.contains("keys_of_certificates") })
    }
}

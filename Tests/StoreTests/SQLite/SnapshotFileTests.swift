import Core
import Testing
import Wire

@testable import Store

/// Where snapshots and credentials stand in the file.
@Suite("Store file: worlds")
struct SnapshotFileTests {
    @Test func `no number of a snapshot stands outside the vault, and none stays when it is removed`() async throws {
        let directory = try TestDirectory()
        let path = directory.file("store.db")
        let number = "4111111111111111"
        try await withStore(StoreConfiguration(.file(path))) { store async throws in
            _ = try await store.write(.default) { writer throws in
                try writer.put("a")
                try writer.setNumber(number, of: VaultOwner(kind: "card", id: "a"))
                try writer.setStamp(WorldStamp(version: 1, epoch: 0))
                let world = try #require(try writer.world(of: .default))
                return try writer.keepSnapshot("one", at: Instant(seconds: 0), world)
            }
            try await store.write(.default) { try $0.replaceWorld(with: nil) }
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

    @Test func `credentials have an index, and it is used`() async throws {
        let directory = try TestDirectory()
        let path = directory.file("store.db")
        try await withStore(StoreConfiguration(.file(path))) { _ in }
        let database = try Database(path)
        let name = RecordKey.credentialName
        let query = "SELECT DISTINCT tenant FROM record_keys WHERE name = '\(name)' AND value = ? ORDER BY tenant"
        let plan = try Statement("EXPLAIN QUERY PLAN " + query, on: database).all("x") { row in row.text(3) }
        #expect(plan.contains { $0.contains("keys_of_credentials") })
    }
}

import Core
import Testing
import Wire

@testable import Store

@Suite("Store migrations")
struct MigrationTests {
    private let later = Migration(name: "later", sql: "CREATE TABLE later (a); CREATE TABLE more (a)")

    @Test func `an older store is copied, then migrated`() async throws {
        let directory = try TestDirectory()
        let path = directory.file("store.db")
        try await withStore(StoreConfiguration(.file(path))) { store async throws in
            try await store.write(.default) { writer in try writer.put("a", 3) }
        }
        #expect(try directory.names() == ["store.db", "store.db.lock"])
        try await withStore(StoreConfiguration(.file(path), migrations: Migration.all + [later])) {
            store async throws in
            #expect(try await store.value("a") == 3)
        }
        #expect(try directory.names() == ["store.db", "store.db.before-later", "store.db.lock"])
        #expect(try directory.mode("store.db.before-later") == 0o600)
        try await withStore(StoreConfiguration(.file(path + ".before-later"))) { store async throws in
            #expect(try await store.value("a") == 3)
        }
    }

    @Test func `a newer store is refused`() async throws {
        let directory = try TestDirectory()
        let path = directory.file("store.db")
        try await withStore(StoreConfiguration(.file(path), migrations: Migration.all + [later])) { _ in }
        let bytes = directory.bytes("store.db")
        let fault = try await refusal(of: StoreConfiguration(.file(path)))
        #expect(fault.reason == .newerSchema)
        #expect(
            fault.message
                == "\(path): The store has schema \(Migration.all.count + 1); this server knows up to \(Migration.all.count)."
        )
        #expect(directory.bytes("store.db") == bytes)
    }

    @Test func `a store with a negative schema is refused`() async throws {
        let directory = try TestDirectory()
        let path = directory.file("store.db")
        try await withStore(StoreConfiguration(.file(path))) { _ in }
        try Database(path).execute("PRAGMA user_version = -1")
        #expect(try await refusal(of: StoreConfiguration(.file(path))).reason == .damaged)
    }

    @Test func `a migration that fails changes nothing and can be tried again`() async throws {
        let directory = try TestDirectory()
        let path = directory.file("store.db")
        try await withStore(StoreConfiguration(.file(path))) { store async throws in
            try await store.write(.default) { writer in try writer.put("a", 3) }
        }
        let broken = Migration(name: "later", sql: "CREATE TABLE later (a); CREATE TABLE records (a)")
        let fault = try await refusal(of: StoreConfiguration(.file(path), migrations: Migration.all + [broken]))
        #expect(fault.reason == .failed)
        try await withStore(StoreConfiguration(.file(path), migrations: Migration.all + [later])) {
            store async throws in
            #expect(try await store.value("a") == 3)
        }
    }
}

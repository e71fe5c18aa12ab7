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

    /// Before it, kinds of records and their ids stood for what one key says now.
    @Test func `what leads to a tenant is found by its key, also in a snapshot`() async throws {
        let directory = try TestDirectory()
        let path = directory.file("store.db")
        let document = #"{"é\u0000":"\"","n":9007199254740993}"#
        let issuer = #"["issuer","bank",["clientCertificate","certificate:a1","colour","red"],\#(document)]"#
        let bearer = #"["d1Bearer","b2",["hour","5"],\#(document)]"#
        do {
            try StoreFile.prepare(path)
            let database = try Database(path)
            try database.execute("PRAGMA application_id = \(StoreFile.applicationID)")
            try Migrator(database: database, migrations: Array(Migration.all.prefix(3))).migrate(path: nil)
            try database.execute(
                """
                INSERT INTO records VALUES (1, 'default', 'issuer', 'bank', '\(document)');
                INSERT INTO record_keys VALUES ('default', 'issuer', 'clientCertificate', 'certificate:a1', 1);
                INSERT INTO records VALUES (2, 'other', 'd1Bearer', 'b2', '\(document)');
                INSERT INTO record_keys VALUES ('other', 'd1Bearer', 'hour', '5', 2);
                INSERT INTO snapshots VALUES (1, 'default', 's', 0, 2, 99, CAST('[\(issuer),\(bearer)]' AS BLOB));
                INSERT INTO snapshots VALUES (2, 'other', 'empty', 0, 0, 2, CAST('[]' AS BLOB));
                """
            )
        }
        try await withStore(StoreConfiguration(.file(path))) { store async throws in
            try await store.read(.default) { reader throws in
                #expect(try reader.tenants() == [.default, .other])
                #expect(try reader.stamp() == WorldStamp(version: 1, epoch: 0))
                #expect(try reader.tenants(holdingCredential: "certificate:a1") == [.default])
                #expect(try reader.tenants(holdingCredential: "b2") == [.other])
                let rows = try reader.snapshot("s")?.rows
                #expect(rows?.map(\.keys).first == [.credential("certificate:a1"), RecordKey("colour", "red")])
                #expect(rows?.map(\.keys).last == [RecordKey("hour", "5"), .credential("b2")])
                #expect(rows?.map { String(decoding: $0.document, as: UTF8.self) } == [document, document])
            }
            #expect(try await store.read(.other) { try $0.snapshot("empty") } == StoredWorld())
        }
    }
}

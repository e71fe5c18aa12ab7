import Core
import Testing
import Wire

@testable import Store

@Suite("Store failures")
struct FailureTests {
    /// Lets a document's id make SQLite fail: in the statement, in the commit, or by ending the transaction.
    private let traps = Migration(
        name: "traps",
        sql: """
            CREATE TABLE promises (ordinal INTEGER REFERENCES records (ordinal) DEFERRABLE INITIALLY DEFERRED);
            CREATE TRIGGER refuse AFTER INSERT ON records WHEN NEW.id = 'refuse'
            BEGIN SELECT RAISE(ABORT, 'refused'); END;
            CREATE TRIGGER lose AFTER INSERT ON records WHEN NEW.id = 'lose'
            BEGIN SELECT RAISE(ROLLBACK, 'lost'); END;
            CREATE TRIGGER uncommittable AFTER INSERT ON records WHEN NEW.id = 'uncommittable'
            BEGIN INSERT INTO promises VALUES (-1); END;
            """
    )

    /// Puts documents in one group, in this order, and gives which of the writes failed.
    private func faults(_ store: SQLiteStore, _ ids: [String]) async throws -> [StoreFault?] {
        let gate = Gate()
        await gate.hold(store)
        var writes: [Task<Void, any Error>] = []
        for id in ids {
            writes.append(Task { try await store.write(.default) { writer in try? writer.put(id) } })
            await gate.wait(for: writes.count, store)
        }
        gate.open()
        var faults: [StoreFault?] = []
        for write in writes {
            do {
                try await write.value
                faults.append(nil)
            } catch {
                faults.append(try #require(error as? StoreFault))
            }
        }
        return faults
    }

    @Test(arguments: Backend.allCases)
    func `a commit that fails fails every write of its group`(_ backend: Backend) async throws {
        try await withTraps(backend) { store async throws in
            let faults = try await faults(store, ["a", "uncommittable", "b"])
            #expect(faults.map { fault in fault?.reason } == [.failed, .failed, .failed])
            #expect(try await store.ids() == [])
            try await store.write(.default) { writer in try writer.put("c") }
            #expect(try await store.ids() == ["c"])
        }
    }

    @Test(arguments: Backend.allCases)
    func `what a lost commit had changed is not remembered`(_ backend: Backend) async throws {
        try await withTraps(backend) { sqlite async throws in
            let store = RecordStore(sqlite)
            try await store.put(Thing("a", 1))
            for round in 2..<4 {
                let gate = Gate()
                await gate.hold(sqlite)
                var writes: [Task<Void, any Error>] = []
                for id in ["a", "uncommittable"] {
                    writes.append(Task { try await store.put(Thing(id, .number(-round))) })
                    await gate.wait(for: writes.count, sqlite)
                }
                gate.open()
                for write in writes { await #expect(throws: StoreFault.self) { try await write.value } }
                #expect(try await store.value("a") == .number(round - 1))
                #expect(try await store.ids() == ["a"])
                try await store.put(Thing("a", .number(round)))
                #expect(try await store.value("a") == .number(round))
            }
        }
    }

    @Test(arguments: Backend.allCases)
    func `a write whose closure hides SQLite's refusal fails all the same`(_ backend: Backend) async throws {
        try await withTraps(backend) { store async throws in
            let faults = try await faults(store, ["a", "refuse", "b"])
            #expect(faults.map { fault in fault?.reason } == [nil, .failed, nil])
            #expect(try await store.ids() == ["a", "b"])
        }
    }

    @Test(arguments: Backend.allCases)
    func `a refusal inside an attempt undoes the whole write`(_ backend: Backend) async throws {
        try await withTraps(backend) { store async throws in
            await #expect(throws: StoreFault.self) {
                try await store.write(.default) { writer in
                    try writer.put("a")
                    try? writer.attempt { try writer.put("refuse") }
                }
            }
            #expect(try await store.ids() == [])
        }
    }

    @Test(arguments: Backend.allCases)
    func `a transaction that SQLite ended fails what it held; later writes go on`(_ backend: Backend) async throws {
        try await withTraps(backend) { store async throws in
            let faults = try await faults(store, ["a", "lose", "b"])
            #expect(faults.map { fault in fault?.reason } == [.failed, .failed, nil])
            #expect(try await store.ids() == ["b"])
        }
    }

    @Test(arguments: Backend.allCases)
    func `row 108: a full store refuses writes, answers reads and recovers`(_ backend: Backend) async throws {
        let directory = try TestDirectory()
        let location: StoreConfiguration.Location =
            backend == .memory ? .memory : .file(directory.file("store.db"))
        try await withStore(StoreConfiguration(location, maximumBytes: 256 * 1024)) { store async throws in
            let filling = JSON.string(String(repeating: "x", count: 10_000))
            var written: [String] = []
            var fault: StoreFault?
            for number in 0..<100 where fault == nil {
                do {
                    try await store.write(.default) { writer in try writer.put("\(number)", filling) }
                    written.append("\(number)")
                } catch {
                    fault = error as? StoreFault
                }
            }
            #expect(fault?.reason == .notWritable)
            #expect(written.count > 10)
            #expect(try await store.ids() == written)
            // Two, because room is counted in whole pages.
            for id in written.prefix(2) {
                try await store.write(.default) { writer in try writer.remove(kind: "thing", id: id) }
            }
            try await store.write(.default) { writer in try writer.put("again", filling) }
            let ids = try await store.ids()
            #expect(ids == written.dropFirst(2) + ["again"])
        }
    }

    @Test func `a document that is not JSON is damage that names the kind only`() async throws {
        let directory = try TestDirectory()
        let configuration = StoreConfiguration(.file(directory.file("store.db")))
        try await withStore(configuration) { store async throws in
            try await store.write(.default) { writer in try writer.put("a") }
        }
        try Database(directory.file("store.db")).execute("UPDATE records SET document = '{\"secret\":'")
        try await withStore(configuration) { store async throws in
            let fault = await #expect(throws: StoreFault.self) {
                try await RecordStore(store).value("a")
            }
            #expect(fault?.reason == .damaged)
            #expect(fault?.message == "A document of kind thing is not JSON: truncated.")
        }
    }

    /// Gives `body` a store with the traps.
    private func withTraps(_ backend: Backend, _ body: (SQLiteStore) async throws -> Void) async throws {
        let directory = try TestDirectory()
        let location: StoreConfiguration.Location =
            backend == .memory ? .memory : .file(directory.file("store.db"))
        try await withStore(StoreConfiguration(location, migrations: Migration.all + [traps]), body)
    }
}

import Core
import Store
import Synchronization
import Testing
import Wire

/// What is remembered is read without the store's thread, and a write takes away only what it changes.
@Suite("Reads from memory")
struct MemoryReadTests {
    /// What can be read while the store's thread is held.
    private func known(_ sqlite: SQLiteStore, _ store: RecordStore, _ reads: [Read]) async -> [Bool] {
        let gate = Gate()
        await gate.hold(sqlite)
        var waiting: [Task<Void, any Error>] = []
        var known: [Bool] = []
        for read in reads {
            let isOver = Flag()
            let task = Task {
                try await store.read(read.tenant, read.body)
                isOver.set()
            }
            while sqlite.waiting == waiting.count, !isOver.isSet { await Task.yield() }
            known.append(isOver.isSet)
            if !isOver.isSet { waiting.append(task) }
        }
        gate.open()
        for task in waiting { _ = await task.result }
        return known
    }

    private struct Read: Sendable {
        var tenant: TenantName = .default
        let body: @Sendable (RecordReader) throws -> Void

        static func one(_ id: String, of tenant: TenantName = .default) -> Read {
            Read(tenant: tenant) { _ = try $0.value(id) }
        }

        static func owned(by owner: String) -> Read { Read { _ = try $0.ids(owner: owner) } }
    }

    @Test(arguments: Backend.allCases)
    func `what was read is read again while the store thread is busy`(_ backend: Backend) async throws {
        try await withStore(backend) { sqlite async throws in
            let store = RecordStore(sqlite)
            try await store.put(Thing("a", 1))
            #expect(try await store.value("a") == 1)
            #expect(try await store.value("b") == nil)
            #expect(await known(sqlite, store, [.one("a"), .one("b"), .owned(by: "x")]) == [true, true, false])
            #expect(await known(sqlite, store, [.owned(by: "x"), .one("c")]) == [true, false])
        }
    }

    @Test func `a write takes away what it changes, and nothing of another tenant`() async throws {
        try await withStore(Backend.memory) { sqlite async throws in
            let store = RecordStore(sqlite)
            for tenant in [TenantName.default, .other] {
                for id in ["a", "b"] { try await store.put(Thing(id, owner: id), in: tenant) }
                try await store.read(tenant) { reader in
                    for id in ["a", "b", "none"] { _ = (try reader.value(id), try reader.ids(owner: id)) }
                }
            }
            try await store.put(Thing("a", 2, owner: "c"))
            try await store.put(Thing("d", owner: "none"))
            let reads: [Read] = [
                .one("a", of: .other), .one("b", of: .other), .one("a"), .one("b"), .one("d"), .owned(by: "b"),
                .owned(by: "none"), .owned(by: "a"),
            ]
            #expect(await known(sqlite, store, reads) == [true, true, true, true, true, true, true, false])
            #expect(try await store.read(.default) { try $0.ids(owner: "none") } == ["d"])
        }
    }

    @Test(arguments: Backend.allCases)
    func `a closure that hides what was not remembered still gets it`(_ backend: Backend) async throws {
        try await withStore(backend) { sqlite async throws in
            let store = RecordStore(sqlite)
            let owner = VaultOwner(kind: "card", id: "a")
            try await store.write(.default) { writer in
                try writer.put(Thing("a", 1))
                try writer.setNumber("4000000000000002", of: owner)
            }
            #expect(try await store.value("a") == 1)
            let found = try await store.read(.default) { reader in
                (
                    try reader.value("a"), try? reader.value("b") ?? -1, (try? reader.ids())?.count,
                    try? reader.number(of: owner) != nil
                )
            }
            #expect(found == (1, -1, 1, true))
        }
    }

    @Test func `a world that was removed is not remembered, nor the next one of its name`() async throws {
        try await withStore(Backend.memory) { sqlite async throws in
            let store = RecordStore(sqlite)
            var versions: Set<Int64?> = []
            for round in 0..<3 {
                try await store.put(Thing("a", .number(round)))
                #expect(try await store.value("a") == .number(round))
                versions.insert(store.version(of: .default))
                try await store.write(.default) { try $0.removeEverything() }
                #expect(try await store.value("a") == nil)
                versions.insert(store.version(of: .default))
            }
            #expect(versions.count == 6 && !versions.contains(nil))
        }
    }
}

private final class Flag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .sequentiallyConsistent) }

    func set() { value.store(true, ordering: .sequentiallyConsistent) }
}

import Core
import Testing
import Wire

/// What a write asks of the store: each record once to read it, once to write it, and nothing for what stays as it was.
@Suite("Buffered writes")
struct BufferedWriteTests {
    /// What a write on a world with `a`, `b` and `c`, of which nothing is remembered, asks of the store.
    private func calls(_ body: @escaping @Sendable (RecordWriter) throws -> Void) async throws -> [String] {
        let watched = WatchedStore(DictionaryStore())
        try await RecordStore(watched).write(.default) { writer in
            for id in ["a", "b", "c"] { try writer.put(Thing(id)) }
        }
        _ = watched.calls()
        try? await RecordStore(watched).write(.default, body)
        return watched.calls()
    }

    @Test func `a record is read once and written once, however often it is asked for and changed`() async throws {
        let calls = try await calls { writer in
            for value in 2..<5 {
                #expect(try writer.value("a") == .number(value - 1))
                try writer.put(Thing("a", .number(value)))
            }
            try writer.put(Thing("b", 2))
            try writer.put(Thing("b", 3, owner: "y"))
        }
        #expect(calls == ["read a", "read b", "replace a", "move b"])
    }

    @Test func `records of a list are not read again`() async throws {
        let calls = try await calls { writer in
            for var thing in try writer.records(Thing.self, "owner", "x") where thing.id != "b" {
                thing.value = 2
                try writer.put(thing)
                #expect(try writer.value(thing.id) == 2)
            }
        }
        #expect(calls == ["list x", "replace a", "replace c"])
    }

    @Test func `what did not change, or is as it was in the end, is not written`() async throws {
        let calls = try await calls { writer in
            try writer.put(Thing("a"))
            try writer.put(Thing("b", 2))
            try writer.put(Thing("b"))
            try writer.put(Thing("new"))
            try writer.remove(Thing.self, "new")
            try writer.remove(Thing.self, "none")
        }
        #expect(calls == ["read a", "read b", "read new", "read none"])
    }

    @Test func `a write without changes gives the world no version`() async throws {
        try await withStore(Backend.memory) { store async throws in
            let store = RecordStore(store)
            try await store.put(Thing("a"))
            let before = store.version(of: .default)
            try await store.put(Thing("a"))
            #expect(store.version(of: .default) == before)
            try await store.put(Thing("a", 2))
            #expect(try #require(store.version(of: .default)) > #require(before))
        }
    }

    @Test func `what is added is not looked for, and what hardly anybody reads is not remembered`() async throws {
        try await withStore(Backend.memory) { sqlite async throws in
            let watched = WatchedStore(sqlite)
            let store = RecordStore(watched)
            try await store.write(.default) { writer in
                try writer.add(Thing("a"))
                try writer.add(Line(id: "1"))
                #expect(try writer.record(Line.self, "1") == Line(id: "1"))
            }
            #expect(watched.calls() == ["add a", "add 1"])
            for _ in 0..<2 {
                #expect(try await store.value("a") == 1)
                let line = try await store.read(.default) { try $0.record(Line.self, "1") }
                #expect(line == Line(id: "1"))
            }
            #expect(watched.calls() == ["read 1"])
        }
    }

    /// A record that is not remembered when it was written.
    private struct Line: Record {
        static let kind = "line"
        static var isRemembered: Bool { false }
        var id: String

        var recordID: String { id }
        var document: JSON { ["id": .string(id)] }

        init(id: String) { self.id = id }
        init(document: JSON) throws(RecordFault) { id = try DocumentReader(Line.kind, document).string("id") }
    }

    @Test func `what its closure undoes is not written at all`() async throws {
        let calls = try await calls { writer in
            try writer.put(Thing("a", 2))
            throw Refusal()
        }
        #expect(calls == ["read a"])
    }

    @Test func `records are made in the order in which they were put`() async throws {
        let calls = try await calls { writer in
            try writer.put(Thing("z"))
            try writer.put(Thing("a", 2))
            try writer.remove(Thing.self, "c")
            try writer.put(Thing("y"))
            try writer.put(Thing("z", 2))
        }
        #expect(calls.filter { !$0.hasPrefix("read") } == ["add z", "replace a", "remove c", "add y"])
    }

    @Test func `a second write of what is remembered reads nothing`() async throws {
        try await withStore(Backend.memory) { sqlite async throws in
            let watched = WatchedStore(sqlite)
            let store = RecordStore(watched)
            try await store.put(Thing("a"))
            _ = watched.calls()
            for value in 2..<4 { try await store.put(Thing("a", .number(value))) }
            #expect(watched.calls() == ["replace a", "replace a"])
        }
    }
}

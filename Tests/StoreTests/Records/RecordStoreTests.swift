import Core
import Testing
import Wire

/// Records are read, changed and found as documents were, whatever is remembered of them.
@Suite("Records over any store")
struct RecordStoreTests {
    private func look(_ store: RecordStore, _ tenant: TenantName = .default) async throws -> [Thing?] {
        try await store.read(tenant) { reader in
            [try reader.record(Thing.self, "a")] + (try reader.records(Thing.self, "owner", "x"))
        }
    }

    @Test(arguments: Conformer.allCases)
    func `what was not there, was changed, moved or removed is seen by the next read`(
        _ conformer: Conformer
    ) async throws {
        try await withStore(conformer) { store async throws in
            let store = RecordStore(store)
            #expect(try await look(store) == [nil])
            var thing = Thing("a", 1)
            try await store.put(thing)
            for _ in 0..<2 { #expect(try await look(store) == [thing, thing]) }
            thing.value = 2
            try await store.write(.default) { [thing] writer in
                try writer.put(thing)
                #expect(try writer.record(Thing.self, "a") == thing)
            }
            for _ in 0..<2 { #expect(try await look(store) == [thing, thing]) }
            thing.owner = "y"
            try await store.put(thing)
            for _ in 0..<2 { #expect(try await look(store) == [thing]) }
            #expect(try await look(store, .other) == [nil])
            try await store.write(.default) { writer in try writer.remove(Thing.self, "a") }
            for _ in 0..<2 { #expect(try await look(store) == [nil]) }
            try await store.write(.default) { try $0.replaceEverything(with: StoredWorld(rows: [Self.row])) }
            for _ in 0..<2 { #expect(try await look(store) == [Thing("a", 7), Thing("a", 7)]) }
            try await store.write(.default) { try $0.removeEverything() }
            for _ in 0..<2 { #expect(try await look(store) == [nil]) }
        }
    }

    private static let row = StoredWorld.Row(
        kind: "thing",
        id: "a",
        keys: [RecordKey("owner", "x")],
        document: Thing("a", 7).document.bytes
    )

    @Test(arguments: Conformer.allCases)
    func `a transaction sees its own changes, in order of creation`(_ conformer: Conformer) async throws {
        try await withStore(conformer) { store async throws in
            let store = RecordStore(store)
            for id in ["a", "b", "c", "d"] { try await store.put(Thing(id, owner: id < "c" ? "x" : "y")) }
            try await store.write(.default) { writer throws in
                try writer.put(Thing("e"))
                try writer.put(Thing("b", 2))
                #expect(try writer.ids(owner: "x") == ["a", "b", "e"] && writer.value("b") == 2)
                // Given the key of others, a record stands among them where it was made.
                try writer.put(Thing("a", owner: "y"))
                #expect(try writer.ids(owner: "y") == ["a", "c", "d"] && writer.ids(owner: "x") == ["b", "e"])
                try writer.put(Thing("f", owner: "y"))
                try writer.put(Thing("c", 3, owner: "y"))
                try writer.remove(Thing.self, "d")
                #expect(try writer.ids(owner: "y") == ["a", "c", "f"])
                #expect(try writer.ids() == ["a", "b", "c", "e", "f"])
                // Removed and made again, it is the last.
                try writer.remove(Thing.self, "b")
                try writer.remove(Thing.self, "e")
                try writer.put(Thing("e", 5))
                try writer.put(Thing("b", 6))
                #expect(try writer.ids() == ["a", "c", "f", "e", "b"] && writer.ids(owner: "x") == ["e", "b"])
                #expect(try writer.hasRecords(kind: "thing", key: RecordKey("owner", "x")))
                #expect(try !writer.hasRecords(kind: "thing", key: RecordKey("owner", "z")))
                #expect(try writer.everything(of: .default)?.rows.map(\.id) == ["a", "c", "f", "e", "b"])
            }
            for _ in 0..<2 {
                #expect(try await store.ids() == ["a", "c", "f", "e", "b"])
                #expect(try await store.read(.default) { try $0.ids(owner: "x") } == ["e", "b"])
                #expect(try await store.read(.default) { try $0.ids(owner: "y") } == ["a", "c", "f"])
            }
        }
    }

    @Test(arguments: Conformer.allCases)
    func `a write that threw, and an attempt, leave no trace`(_ conformer: Conformer) async throws {
        try await withStore(conformer) { store async throws in
            let store = RecordStore(store)
            let thing = Thing("a", 1)
            try await store.put(thing)
            #expect(try await look(store) == [thing, thing])
            let before = store.version(of: .default)
            await #expect(throws: Refusal()) {
                try await store.write(.default) { writer throws in
                    try writer.put(Thing("a", 2))
                    #expect(try writer.value("a") == 2)
                    throw Refusal()
                }
            }
            #expect(store.version(of: .default) == before)
            #expect(try await look(store) == [thing, thing])
            try await store.write(.default) { writer throws in
                try writer.put(Thing("a", 3))
                try? writer.attempt {
                    try writer.put(Thing("a", 4, owner: "y"))
                    try writer.put(Thing("b", owner: "y"))
                    #expect(try writer.ids(owner: "y") == ["a", "b"])
                    throw Refusal()
                }
                #expect(try writer.value("a") == 3 && writer.ids() == ["a"] && writer.ids(owner: "y") == [])
                try? writer.attempt {
                    try writer.removeEverything()
                    try writer.put(Thing("c"))
                    #expect(try writer.ids() == ["c"])
                    throw Refusal()
                }
                #expect(try writer.ids() == ["a"])
                try writer.attempt { try writer.put(Thing("d")) }
            }
            #expect(try await look(store) == [Thing("a", 3), Thing("a", 3), Thing("d")])
        }
    }

    @Test(arguments: Conformer.allCases)
    func `a reader or writer kept beyond its call throws`(_ conformer: Conformer) async throws {
        try await withStore(conformer) { store async throws in
            let store = RecordStore(store)
            let kept = Kept()
            try await store.put(Thing("a", 1))
            // The second reading is one of what is remembered, where there is such a one.
            for _ in 0..<2 {
                try await store.read(.default) { reader in
                    _ = try reader.value("a")
                    kept.reader = reader
                }
                let reader = try #require(kept.reader)
                #expect(throws: StoreFault.self) { try reader.value("a") }
            }
            try await store.write(.default) { writer in kept.writer = writer }
            let writer = try #require(kept.writer)
            for use in [{ _ = try writer.ids() }, { try writer.put(Thing("b")) }, { try writer.attempt {} }] {
                #expect(throws: StoreFault.self) { try use() }
            }
            #expect(try await store.ids() == ["a"])
        }
    }

    /// 2^53 + 1, which no request may send, and which a counter may reach.
    @Test(arguments: Conformer.allCases)
    func `an integer beyond 2^53 that was counted is read again`(_ conformer: Conformer) async throws {
        try await withStore(conformer) { store async throws in
            let store = RecordStore(store)
            let snapshot = try await store.write(.default) { writer throws in
                try writer.put(Thing("a", .number("9007199254740993")))
                let world = try #require(try writer.everything(of: .default))
                // Now the document is remembered nowhere.
                try writer.replaceEverything(with: world)
                return try writer.keepSnapshot("s", at: Instant(milliseconds: 0), world)
            }
            try await store.read(.default) { reader throws in
                #expect(try reader.value("a") == .number("9007199254740993"))
                let kept = try reader.snapshot(snapshot.id)
                #expect(kept == (try reader.everything(of: .default)))
            }
        }
    }

    @Test func `a record whose document is not one of its kind is damage`() async throws {
        let store = DictionaryStore()
        let bytes = JSON.object(JSONObject([("seed", "none")])).bytes
        let row = StoredWorld.Row(kind: Tenant.kind, id: Tenant.recordID, keys: [], document: bytes)
        try await store.write(.default) { try $0.put(row, over: nil) }
        let fault = await #expect(throws: StoreFault.self) {
            _ = try await RecordStore(store).read(.default) { try $0.record(Tenant.self, Tenant.recordID) }
        }
        #expect(fault?.reason == .damaged)
        #expect(fault?.message == "A document of kind tenant is not one of its kind: tenant, seed.")
    }

    @Test(arguments: Conformer.allCases)
    func `tenants are counted inside a transaction`(_ conformer: Conformer) async throws {
        try await withStore(conformer) { store async throws in
            let store = RecordStore(store)
            #expect(try await store.read(.default) { try $0.tenantCount() } == 0)
            try await store.put(Thing("a"))
            #expect(try await store.write(.other) { try $0.tenantCount() } == 1)
            try await store.put(Thing("a"), in: .other)
            #expect(try await store.read(.default) { try $0.tenantCount() } == 2)
            try await store.write(.other) { try $0.removeEverything() }
            #expect(try await store.tenants() == [.default])
        }
    }
}

/// Lets a transaction out of its closure, which the compiler otherwise forbids.
///
/// Safe because it is written before the call returns and read after that.
private final class Kept: @unchecked Sendable {
    var reader: RecordReader?
    var writer: RecordWriter?
}

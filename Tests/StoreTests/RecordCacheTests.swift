import Core
import Store
import Testing
import Wire

/// The store keeps records as values, and where reads found them; every change must show at once.
@Suite("Store contract: cached records and places")
struct RecordCacheTests {
    private struct Thing: Record, Equatable {
        static let kind = "thing"
        var id: String
        var owner: String
        var value: Int64

        var recordID: String { id }
        var keys: [RecordKey] { [RecordKey("owner", owner)] }
        var document: JSON { ["id": .string(id), "owner": .string(owner), "value": .number(value)] }

        init(_ id: String, owner: String, value: Int64) {
            self.id = id
            self.owner = owner
            self.value = value
        }

        init(document: JSON) throws(RecordFault) {
            let reader = DocumentReader(Thing.kind, document)
            id = try reader.string("id")
            owner = try reader.string("owner")
            value = try reader.integer("value")
        }
    }

    private func look(_ store: SQLiteStore, _ tenant: TenantName = .default) async throws -> [Thing?] {
        try await store.read(tenant) { reader in
            [try reader.record(Thing.self, "a")] + (try reader.records(Thing.self, "owner", "x"))
        }
    }

    @Test(arguments: Backend.allCases)
    func `what was not there, was changed, moved or removed is seen by the next read`(_ backend: Backend) async throws {
        try await withStore(backend) { store async throws in
            #expect(try await look(store) == [nil])
            var thing = Thing("a", owner: "x", value: 1)
            try await store.write(.default) { [thing] writer in try writer.put(thing) }
            for _ in 0..<2 { #expect(try await look(store) == [thing, thing]) }
            thing.value = 2
            try await store.write(.default) { [thing] writer in
                try writer.put(thing)
                #expect(try writer.record(Thing.self, "a") == thing)
            }
            for _ in 0..<2 { #expect(try await look(store) == [thing, thing]) }
            thing.owner = "y"
            try await store.write(.default) { [thing] writer in try writer.put(thing) }
            #expect(try await look(store) == [thing])
            #expect(try await look(store, .other) == [nil])
            try await store.write(.default) { writer in try writer.remove(Thing.self, "a") }
            #expect(try await look(store) == [nil])
        }
    }

    @Test(arguments: Backend.allCases)
    func `a record that was undone is not seen, and its document stays readable`(_ backend: Backend) async throws {
        try await withStore(backend) { store async throws in
            let thing = Thing("a", owner: "x", value: 1)
            try await store.write(.default) { writer in try writer.put(thing) }
            #expect(try await look(store) == [thing, thing])
            await #expect(throws: Refusal()) {
                try await store.write(.default) { writer throws in
                    try writer.put(Thing("a", owner: "x", value: 2))
                    #expect(try writer.record(Thing.self, "a")?.value == 2)
                    throw Refusal()
                }
            }
            #expect(try await look(store) == [thing, thing])
            #expect(try await store.read(.default) { try $0.document(kind: "thing", id: "a") } == thing.document)
            #expect(try await look(store) == [thing, thing])
        }
    }
}

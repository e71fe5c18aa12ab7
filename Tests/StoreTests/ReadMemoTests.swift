import Core
import Testing
import Wire

@testable import Store

/// What was read since the last write is read again without the store thread, and nothing that is over is read.
@Suite struct ReadMemoTests {
    private struct Thing: Record, Equatable {
        static let kind = "thing"
        var id: String
        var value: Int64

        var recordID: String { id }
        var keys: [RecordKey] { [RecordKey("all", "yes")] }
        var document: JSON { ["id": .string(id), "value": .number(value)] }

        init(_ id: String, _ value: Int64) {
            self.id = id
            self.value = value
        }

        init(document: JSON) throws(RecordFault) {
            let reader = DocumentReader(Thing.kind, document)
            id = try reader.string("id")
            value = try reader.integer("value")
        }
    }

    private final class Kept: @unchecked Sendable {
        var reader: (any StoreReader)?
    }

    private static func value(_ store: SQLiteStore, _ id: String = "a") async throws -> Int64? {
        try await store.read(.default) { reader in try reader.record(Thing.self, id)?.value }
    }

    private static let place = ReadMemo.Place(tenant: "t", kind: "k", key: "", value: "v")

    @Test(arguments: Backend.allCases)
    func `what was read is read again while the store thread is busy`(_ backend: Backend) async throws {
        try await withStore(backend) { store async throws in
            try await store.write(.default) { writer in try writer.put(Thing("a", 1)) }
            #expect(try await Self.value(store) == 1)
            #expect(try await Self.value(store, "b") == nil)
            let gate = Gate()
            await gate.hold(store)
            let known = (try await Self.value(store), try await Self.value(store, "b"))
            let list = Task {
                try await store.read(.default) { reader in try reader.records(Thing.self, "all", "yes").count }
            }
            await gate.wait(for: 1, store)
            gate.open()
            #expect(known == (1, nil))
            #expect(try await list.value == 1)
        }
    }

    @Test(arguments: Backend.allCases)
    func `a closure that hides what was not remembered still gets it`(_ backend: Backend) async throws {
        try await withStore(backend) { store async throws in
            try await store.write(.default) { writer in
                try writer.put(Thing("a", 1))
                try writer.setNumber("4000000000000002", of: VaultOwner(kind: "card", id: "a"))
            }
            #expect(try await Self.value(store) == 1)
            let found = try await store.read(.default) { reader in
                (
                    try reader.record(Thing.self, "a")?.value, try? reader.record(Thing.self, "b")?.value ?? -1,
                    (try? reader.records(Thing.self))?.count,
                    try? reader.number(of: VaultOwner(kind: "card", id: "a")) != nil
                )
            }
            #expect(found == (1, -1, 1, true))
        }
    }

    @Test(arguments: Backend.allCases)
    func `a reader kept beyond its call throws, though its answer is remembered`(_ backend: Backend) async throws {
        try await withStore(backend) { store async throws in
            try await store.write(.default) { writer in try writer.put(Thing("a", 1)) }
            let kept = Kept()
            for _ in 0..<2 {
                try await store.read(.default) { reader in
                    _ = try reader.record(Thing.self, "a")
                    kept.reader = reader
                }
                let reader = try #require(kept.reader)
                #expect(throws: StoreFault.self) { try reader.record(Thing.self, "a") }
            }
            #expect(kept.reader is MemoReader)
        }
    }

    @Test func `nothing is remembered beyond its turn, or while a write may be under way`() {
        let memo = ReadMemo()
        memo.keep([1], Self.place)
        let closed: [Int]? = memo.records(Self.place)
        #expect(closed == nil && memo.turn == nil)
        memo.open()
        memo.keep([2], Self.place)
        let turn = memo.turn
        let kept: [Int]? = memo.records(Self.place, turn: turn)
        #expect(turn != nil && kept == [2])
        memo.close()
        memo.open()
        memo.keep([3], Self.place)
        let outdated: [Int]? = memo.records(Self.place, turn: turn)
        let now: [Int]? = memo.records(Self.place, turn: memo.turn)
        #expect(outdated == nil && now == [3])
    }

    @Test func `it stays bounded by places and by records`() {
        let memo = ReadMemo()
        memo.open()
        func place(_ number: Int) -> ReadMemo.Place {
            ReadMemo.Place(tenant: "t", kind: "k", key: "", value: String(number))
        }
        func isKnown(_ number: Int) -> Bool { (memo.records(place(number)) as [Int]?) != nil }
        for number in 0..<4_097 { memo.keep([number], place(number)) }
        #expect(!isKnown(0) && isKnown(4_096))
        memo.keep([Int](repeating: 1, count: 40_000), place(0))
        #expect(isKnown(0) && isKnown(4_096))
        memo.keep([1], place(1))
        #expect(!isKnown(0) && isKnown(1))
    }
}

import Core
import Testing
import Wire

@Suite("Store contract: transactions")
struct TransactionTests {
    @Test(arguments: Conformer.allCases)
    func `a write that throws changes nothing`(_ conformer: Conformer) async throws {
        try await withStore(conformer) { store async throws in
            let key = RecordKey("colour", "red")
            let owner = VaultOwner(kind: "card", id: "1")
            try await store.write(.default) { writer in try writer.put("a", keys: [key]) }
            await #expect(throws: Refusal()) {
                try await store.write(.default) { writer in
                    try writer.put("a", 2, over: [key])
                    try writer.put("b", keys: [key])
                    try writer.setNumber("4000001234567899", of: owner)
                    throw Refusal()
                }
            }
            try await store.read(.default) { reader throws in
                #expect(try reader.value("a") == 1)
                #expect(try reader.ids(key) == ["a"])
                #expect(try reader.number(of: owner) == nil)
            }
        }
    }

    @Test(arguments: Conformer.allCases)
    func `a transaction sees its own changes`(_ conformer: Conformer) async throws {
        try await withStore(conformer) { store async throws in
            let values = try await store.write(.default) { writer in
                try writer.put("a", 1)
                try writer.put("a", 2, over: [])
                let changed = try writer.value("a")
                try writer.remove(kind: "thing", id: "a")
                return [changed, try writer.value("a")]
            }
            #expect(values == [2, nil])
        }
    }

    @Test(arguments: Conformer.allCases)
    func `a failed attempt is undone alone`(_ conformer: Conformer) async throws {
        try await withStore(conformer) { store async throws in
            try await store.write(.default) { writer in
                try writer.put("before")
                #expect(throws: Refusal()) {
                    try writer.attempt {
                        try writer.put("before", 2, over: [])
                        try writer.put("inside")
                        throw Refusal()
                    }
                }
                try writer.put("after", try writer.value("before") ?? nil)
            }
            try await store.read(.default) { reader throws in
                #expect(try reader.ids() == ["before", "after"])
                #expect(try reader.value("before") == 1)
                #expect(try reader.value("after") == 1)
            }
        }
    }

    @Test(arguments: Conformer.allCases)
    func `attempts are nested`(_ conformer: Conformer) async throws {
        try await withStore(conformer) { store async throws in
            let value = try await store.write(.default) { writer in
                try writer.attempt {
                    try writer.put("outer")
                    try? writer.attempt {
                        try writer.put("inner")
                        throw Refusal()
                    }
                    try writer.attempt { try writer.put("kept") }
                    return "value"
                }
            }
            #expect(value == "value")
            #expect(try await store.ids() == ["outer", "kept"])
        }
    }

    @Test(arguments: Conformer.allCases)
    func `a read closure gets a reader and no writer`(_ conformer: Conformer) async throws {
        try await withStore(conformer) { store async throws in
            let isWriter = try await store.read(.default) { reader in reader is any StoreWriter }
            #expect(!isWriter)
        }
    }

    @Test(arguments: Conformer.allCases)
    func `a writer kept beyond its call throws`(_ conformer: Conformer) async throws {
        try await withStore(conformer) { store async throws in
            let kept = Kept()
            try await store.write(.default) { writer in kept.writer = writer }
            let writer = try #require(kept.writer)
            for use in [{ _ = try writer.ids() }, { try writer.put("a") }, { try writer.attempt {} }] {
                #expect(throws: StoreFault.self) { try use() }
            }
            #expect(try await store.ids() == [])
        }
    }
}

/// Lets a transaction out of its closure, which the compiler otherwise forbids.
///
/// Safe because it is written before the call returns and read after that.
private final class Kept: @unchecked Sendable {
    var writer: (any StoreWriter)?
}

import Core
import Store
import Testing
import Wire

/// The store keeps parsed documents; no order of calls may let an older or undone one be seen.
@Suite("Store contract: cached documents")
struct CacheTests {
    @Test(arguments: Backend.allCases)
    func `a read after a write that threw sees the document before`(_ backend: Backend) async throws {
        try await withStore(backend) { store async throws in
            try await store.write(.default) { writer in try writer.put("a", 1) }
            #expect(try await store.value("a") == 1)
            await #expect(throws: Refusal()) {
                try await store.write(.default) { writer throws in
                    try writer.put("a", 2)
                    #expect(try writer.value("a") == 2)
                    throw Refusal()
                }
            }
            #expect(try await store.value("a") == 1)
        }
    }

    @Test(arguments: Backend.allCases)
    func `a place given again does not bring back the document that had it`(_ backend: Backend) async throws {
        try await withStore(backend) { store async throws in
            await #expect(throws: Refusal()) {
                try await store.write(.default) { writer throws in
                    try writer.put("undone")
                    throw Refusal()
                }
            }
            try await store.write(.default) { writer throws in
                try writer.put("first")
                #expect(try writer.ids() == ["first"])
                try writer.remove(kind: "thing", id: "first")
                try writer.put("second")
                #expect(try writer.ids() == ["second"])
            }
            try await store.write(.other) { writer in try writer.put("third") }
            try await store.write(.other) { writer in try writer.removeEverything() }
            try await store.write(.default) { writer in try writer.put("fourth") }
            #expect(try await store.ids() == ["second", "fourth"])
        }
    }

    @Test(arguments: Backend.allCases)
    func `a removal that was undone is undone for readers, too`(_ backend: Backend) async throws {
        try await withStore(backend) { store async throws in
            try await store.write(.default) { writer in try writer.put("a", 1) }
            try await store.write(.default) { writer throws in
                try? writer.attempt {
                    try writer.removeEverything()
                    try writer.put("b", 2)
                    #expect(try writer.ids() == ["b"])
                    throw Refusal()
                }
                #expect(try writer.ids() == ["a"])
                #expect(try writer.value("a") == 1)
            }
            #expect(try await store.ids() == ["a"])
        }
    }

    /// With documents in between, `a` is in the cache's older half when it is changed.
    @Test(arguments: Backend.allCases, [0, 50])
    func `an undone attempt leaves what the same write did before`(_ backend: Backend, documents: Int) async throws {
        try await withStore(backend) { store async throws in
            let filling = JSON.string(String(repeating: "x", count: 100_000))
            try await store.write(.default) { writer in try writer.put("a", 1) }
            for number in 0..<documents {
                try await store.write(.default) { writer in try writer.put("\(number)", filling) }
            }
            try await store.write(.default) { writer throws in
                try writer.put("a", 2)
                try? writer.attempt {
                    try writer.put("a", 3)
                    throw Refusal()
                }
                #expect(try writer.value("a") == 2)
            }
            #expect(try await store.value("a") == 2)
        }
    }

    /// Compares with a model over many random changes, in groups, some of them undone.
    @Test(arguments: Backend.allCases)
    func `random changes leave what a dictionary would hold`(_ backend: Backend) async throws {
        try await withStore(backend) { store async throws in
            var random = Congruential(state: 42)
            var model: [String: JSON] = [:]
            for round in 0..<400 {
                let id = "\(Int.random(in: 0..<12, using: &random))"
                let (kind, value) = (Int.random(in: 0..<6, using: &random), JSON.number(round))
                do {
                    try await store.write(.default) { writer throws in
                        switch kind {
                        case 0: try writer.remove(kind: "thing", id: id)
                        case 1:
                            try? writer.attempt {
                                try writer.put(id, -1)
                                throw Refusal()
                            }
                        case 2:
                            try writer.put(id, -2)
                            throw Refusal()
                        default: try writer.put(id, value)
                        }
                        _ = try writer.ids()
                    }
                    if kind == 0 { model[id] = nil }
                    if kind > 2 { model[id] = value }
                } catch is Refusal {}
                #expect(try await store.value(id) == model[id])
            }
            #expect(try await store.ids().sorted() == model.keys.sorted())
        }
    }

    @Test(arguments: Backend.allCases)
    func `more documents than are kept are still all found`(_ backend: Backend) async throws {
        try await withStore(backend) { store async throws in
            let filling = JSON.string(String(repeating: "x", count: 100_000))
            for number in 0..<100 {
                try await store.write(.default) { writer throws in
                    try writer.put("\(number)", ["n": .number(number), "filling": filling])
                }
            }
            for number in [0, 50, 99, 0, 50] {
                #expect(try await store.value("\(number)")?["n"] == .number(number))
            }
            #expect(try await store.ids().count == 100)
        }
    }
}

/// The same numbers in each run.
private struct Congruential: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 33
    }
}

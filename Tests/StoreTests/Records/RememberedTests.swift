import Core
import Testing
import Wire

/// No order of calls may let an older or undone record be seen.
@Suite("Remembered records")
struct RememberedTests {
    /// Compares with a model over many random changes, some of them undone.
    @Test(arguments: Conformer.allCases)
    func `random changes leave what a dictionary would hold`(_ conformer: Conformer) async throws {
        try await withStore(conformer) { store async throws in
            let store = RecordStore(store)
            var random = Congruential(state: 42)
            var model: [Thing] = []
            for round in 0..<600 {
                let id = "\(Int.random(in: 0..<12, using: &random))"
                let owner = "\(Int.random(in: 0..<3, using: &random))"
                let (kind, thing) = (Int.random(in: 0..<8, using: &random), Thing(id, .number(round), owner: owner))
                do {
                    try await store.write(.default) { writer throws in
                        switch kind {
                        case 0: try writer.remove(Thing.self, id)
                        case 1:
                            try? writer.attempt {
                                try writer.put(Thing(id, -1, owner: owner))
                                throw Refusal()
                            }
                        case 2:
                            try writer.put(Thing(id, -2, owner: owner))
                            throw Refusal()
                        case 3:
                            try writer.remove(Thing.self, id)
                            try writer.put(thing)
                        default: try writer.put(thing)
                        }
                        if round.isMultiple(of: 2) { _ = try writer.ids(owner: owner) }
                    }
                    if kind == 0 || kind == 3 { model.removeAll { $0.id == id } }
                    if kind > 2 {
                        let index = model.firstIndex { $0.id == id }
                        if let index { model[index] = thing } else { model.append(thing) }
                    }
                } catch is Refusal {}
                let (one, some, all) = try await store.read(.default) { reader in
                    (
                        try reader.record(Thing.self, id), try reader.records(Thing.self, "owner", owner),
                        try reader.records(Thing.self)
                    )
                }
                #expect(one == model.first { $0.id == id })
                #expect(some == model.filter { $0.owner == owner })
                #expect(all == model)
            }
        }
    }

    @Test(arguments: Conformer.allCases)
    func `more records than are kept are still all found`(_ conformer: Conformer) async throws {
        try await withStore(conformer) { store async throws in
            let store = RecordStore(store)
            let filling = JSON.string(String(repeating: "x", count: 100_000))
            for number in 0..<100 { try await store.put(Thing("\(number)", [.number(number), filling])) }
            for number in [0, 50, 99, 0, 50] {
                #expect(try await store.value("\(number)")?.array?.first == .number(number))
            }
            #expect(try await store.ids().count == 100)
        }
    }

    @Test func `a list that is too long to keep is found as it is`() async throws {
        try await withStore(Backend.memory) { store async throws in
            let store = RecordStore(store)
            for count in [1_023, 1, 1, 1] {
                let present = try await store.read(.default) { try $0.ids(owner: "x") }.count
                try await store.write(.default) { writer throws in
                    for number in 0..<count { try writer.put(Thing("\(present + number)")) }
                }
                #expect(try await store.read(.default) { try $0.ids(owner: "x") }.count == present + count)
            }
            try await store.write(.default) { try $0.remove(Thing.self, "7") }
            #expect(try await store.read(.default) { try $0.ids(owner: "x") }.contains("7") == false)
        }
    }

    /// What two servers with one database do, each with a memory of its own.
    @Test func `what another process wrote is seen, whoever was there first`() async throws {
        let store = DictionaryStore()
        let processes = [RecordStore(store), RecordStore(store)]
        var random = Congruential(state: 7)
        for round in 0..<200 {
            let writer = processes[Int.random(in: 0..<2, using: &random)]
            let id = "\(Int.random(in: 0..<3, using: &random))"
            try await writer.put(Thing(id, .number(round)))
            for process in processes { #expect(try await process.value(id) == .number(round)) }
        }
        #expect(processes.allSatisfy { $0.version(of: .default) == nil })
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

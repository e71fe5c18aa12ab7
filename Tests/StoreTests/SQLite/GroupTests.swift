import Core
import Store
import Testing
import Wire

@Suite("Store groups")
struct GroupTests {
    @Test(arguments: Backend.allCases)
    func `a write that throws takes none of its group with it`(_ backend: Backend) async throws {
        try await withStore(backend) { store async throws in
            let gate = Gate()
            await gate.hold(store)
            let writes = (0..<5).map { number in
                Task {
                    try await store.write(.default) { writer in
                        try writer.put("\(number)")
                        if number == 2 { throw Refusal() }
                    }
                }
            }
            await gate.wait(for: 5, store)
            gate.open()
            for (number, write) in writes.enumerated() {
                let result = await write.result
                #expect((number == 2) == result.isRefusal)
            }
            let ids = try await store.ids()
            #expect(ids.sorted() == ["0", "1", "3", "4"])
        }
    }

    /// What the first of a group changes, before SQLite is told of it.
    private static let changes: [@Sendable (any StoreWriter) throws -> Void] = [
        { writer in try writer.put("a", 2, keys: [RecordKey("colour", "blue")], over: [RecordKey("colour", "red")]) },
        { writer in try writer.put("b", keys: [RecordKey("colour", "red")]) },
        { writer in try writer.remove(kind: "thing", id: "a") },
        { writer in
            try writer.remove(kind: "thing", id: "a")
            try writer.put("a", 3, keys: [RecordKey("colour", "red")])
        },
        { writer in try writer.setNumber("4000001234567899", of: VaultOwner(kind: "card", id: "1")) },
        { writer in try writer.setNumber("4000007654321094", of: VaultOwner(kind: "card", id: "1")) },
        { writer in try writer.setNumber("4000007654321094", of: VaultOwner(kind: "card", id: "0")) },
        { writer in try writer.setNumber(nil, of: VaultOwner(kind: "card", id: "0")) },
        { writer in try writer.setStamp(WorldStamp(version: 7, epoch: 1)) },
        { writer in try writer.replaceWorld(with: nil) },
    ]

    /// Everything that a transaction can see of it.
    private static func seen(_ reader: any StoreReader) throws -> String {
        let colours = try ["red", "blue"].map { try reader.ids(RecordKey("colour", $0)) }
        let number = try ["0", "1"].map { try reader.number(of: VaultOwner(kind: "card", id: $0)) ?? "none" }
        let owners = try reader.owners(ofNumber: "4000001234567899").map(\.id)
        let world = try reader.world(of: .default).map { "\($0.rows.map(\.id)) \($0.numbers.count)" } ?? "none"
        let stamp = try reader.stamp().map { "\($0.version)" } ?? "none"
        let values = try ["a", "b"].map { try reader.value($0)?.integer ?? 0 }
        return "\(values) \(try reader.ids()) \(colours) \(number) \(owners) \(world) \(stamp) \(try reader.tenants())"
    }

    /// Before asking for more, which may tell SQLite.
    private static func first(_ reader: any StoreReader) throws -> String {
        let owners = try reader.owners(ofNumber: "4000001234567899").map(\.id)
        let number = try reader.number(of: VaultOwner(kind: "card", id: "0")) ?? "none"
        return "\(try reader.value("a")?.integer ?? 0) \(owners) \(number)"
    }

    @Test(arguments: Self.changes.indices, [true, false])
    func `a write sees what its group and itself have changed`(_ index: Int, _ isOwn: Bool) async throws {
        let change = Self.changes[index]
        try await withStore(Backend.memory) { store async throws in
            try await store.write(.default) { writer in
                try writer.setStamp(WorldStamp(version: 1, epoch: 0))
                try writer.put("a", keys: [RecordKey("colour", "red")])
                try writer.setNumber("4000001234567899", of: VaultOwner(kind: "card", id: "0"))
            }
            let gate = Gate()
            await gate.hold(store)
            let first = Task { try await store.write(.default) { writer in if !isOwn { try change(writer) } } }
            await gate.wait(for: 1, store)
            let second = Task {
                try await store.write(.default) { writer in
                    if isOwn { try change(writer) }
                    return try [Self.first(writer), Self.seen(writer)]
                }
            }
            await gate.wait(for: 2, store)
            gate.open()
            try await first.value
            let seen = try await second.value
            let after = try await store.read(.default) { reader in
                try [Self.first(reader), Self.seen(reader)]
            }
            #expect(seen == after)
        }
    }

    @Test(arguments: Backend.allCases)
    func `closing finishes what waits`(_ backend: Backend) async throws {
        try await withStore(backend) { store async throws in
            let gate = Gate()
            await gate.hold(store)
            let write = Task { try await store.write(.default) { writer in try writer.put("a") } }
            await gate.wait(for: 1, store)
            let closed = Task { await store.close() }
            gate.open()
            try await write.value
            await closed.value
            await store.close()
        }
    }
}

extension Result where Failure == any Error {
    /// Whether a closure of a test refused.
    fileprivate var isRefusal: Bool {
        if case .failure(let error) = self { error is Refusal } else { false }
    }
}

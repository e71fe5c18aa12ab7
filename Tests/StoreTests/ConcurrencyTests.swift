import Core
import Store
import Testing
import Wire

@Suite("Store contract: concurrency")
struct ConcurrencyTests {
    @Test(arguments: Backend.allCases)
    func `no increment of 200 at once is lost`(_ backend: Backend) async throws {
        try await withStore(backend) { store async throws in
            try await withThrowingTaskGroup { group in
                for _ in 0..<200 {
                    group.addTask {
                        try await store.write(.default) { writer in
                            let value = try writer.value("counter")?.integer ?? 0
                            try writer.put("counter", .number(value + 1))
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await store.value("counter") == 200)
        }
    }

    @Test(arguments: Backend.allCases)
    func `a read sees every write answered before it`(_ backend: Backend) async throws {
        try await withStore(backend) { store async throws in
            try await withThrowingTaskGroup { group in
                for task in 0..<8 {
                    group.addTask {
                        for round in 1...20 {
                            try await store.write(.default) { writer in try writer.put("\(task)", .number(round)) }
                            let value = try await store.read(.default) { reader in try reader.value("\(task)") }
                            #expect(value == .number(round))
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

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

    @Test(arguments: Backend.allCases)
    func `closing finishes what waits and refuses what comes`(_ backend: Backend) async throws {
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
            for call in [
                { _ = try await store.read(.default) { _ in } }, { try await store.write(.default) { _ in } },
                { _ = try await store.tenants() },
            ] as [@Sendable () async throws -> Void] {
                let fault = await #expect(throws: StoreFault.self) { try await call() }
                #expect(fault?.reason == .closed)
            }
        }
    }

    @Test(arguments: Backend.allCases)
    func `many reads at once are all answered`(_ backend: Backend) async throws {
        try await withStore(backend) { store async throws in
            try await store.write(.default) { writer in try writer.put("a", 7) }
            let sum = try await withThrowingTaskGroup { group in
                for _ in 0..<500 {
                    group.addTask {
                        try await store.read(.default) { reader in try reader.value("a")?.integer ?? 0 }
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(sum == 3500)
        }
    }
}

extension Result where Failure == any Error {
    /// Whether a closure of a test refused.
    fileprivate var isRefusal: Bool {
        if case .failure(let error) = self { error is Refusal } else { false }
    }
}

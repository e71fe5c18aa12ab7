import Core
import Testing
import Wire

@Suite("Store contract: concurrency")
struct ConcurrencyTests {
    @Test(arguments: Conformer.allCases)
    func `no increment of 200 at once is lost`(_ conformer: Conformer) async throws {
        try await withStore(conformer) { store async throws in
            try await withThrowingTaskGroup { group in
                for _ in 0..<200 {
                    group.addTask {
                        try await store.write(.default) { writer in
                            let value = try writer.value("counter")?.integer
                            try writer.put("counter", .number((value ?? 0) + 1), over: value == nil ? nil : [])
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await store.value("counter") == 200)
        }
    }

    @Test(arguments: Conformer.allCases)
    func `a read sees every write answered before it`(_ conformer: Conformer) async throws {
        try await withStore(conformer) { store async throws in
            try await withThrowingTaskGroup { group in
                for task in 0..<8 {
                    group.addTask {
                        for round in 1...20 {
                            try await store.write(.default) { writer in
                                try writer.put("\(task)", .number(round), over: round == 1 ? nil : [])
                            }
                            let value = try await store.read(.default) { reader in try reader.value("\(task)") }
                            #expect(value == .number(round))
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test(arguments: Conformer.allCases)
    func `many reads at once are all answered`(_ conformer: Conformer) async throws {
        try await withStore(conformer) { store async throws in
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

    @Test(arguments: Conformer.allCases)
    func `a store that was closed refuses what comes`(_ conformer: Conformer) async throws {
        try await withStore(conformer) { store async throws in
            await store.close()
            for call in [{ _ = try await store.read(.default) { _ in } }, { try await store.write(.default) { _ in } }]
                as [@Sendable () async throws -> Void]
            {
                let fault = await #expect(throws: StoreFault.self) { try await call() }
                #expect(fault?.reason == .closed)
            }
        }
    }
}

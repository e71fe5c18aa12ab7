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

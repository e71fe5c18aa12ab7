package import Core
import Synchronization

/// Another client that is always a little faster: before a change of somebody else is stored, it makes one of its own.
package final class TestRace: Sendable {
    /// A change of a world.
    package typealias Change = @Sendable (any StoreWriter) throws -> Void

    private let left = Mutex<(count: Int, change: Change)>((0, { _ in }))

    package init() {}

    /// Makes `change` before each of the next `count` changes.
    package func run(_ count: Int, _ change: @escaping Change) { left.withLock { $0 = (count, change) } }

    /// How many are still to come.
    package var isOver: Bool { left.withLock { $0.count == 0 } }

    package func under(_ store: any Store) -> any Store { RaceStore(store: store, race: self) }

    fileprivate func next() -> Change? {
        left.withLock { left in
            guard left.count > 0 else { return nil }
            left.count -= 1
            return left.change
        }
    }
}

private struct RaceStore: Store {
    let store: any Store
    let race: TestRace

    func read<Value: Sendable>(
        _ tenant: TenantName,
        _ body: @escaping @Sendable (any StoreReader) throws -> Value
    ) async throws -> Value {
        try await store.read(tenant, body)
    }

    func write<Value: Sendable>(
        _ tenant: TenantName,
        _ body: @escaping @Sendable (any StoreWriter) throws -> Value
    ) async throws -> Value {
        if let change = race.next() { try await store.write(tenant, change) }
        return try await store.write(tenant, body)
    }

    func tenants() async throws -> [TenantName] { try await store.tenants() }

    func tenants(holdingCredential digest: String) async throws -> [TenantName] {
        try await store.tenants(holdingCredential: digest)
    }

    func close() async { await store.close() }
}

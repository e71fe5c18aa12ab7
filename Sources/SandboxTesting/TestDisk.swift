package import Core
import Synchronization

/// A disk that a test fills and empties. Stores on it take no change while it is full.
package final class TestDisk: Sendable {
    private let full = Mutex(false)

    package init() {}

    package var isFull: Bool {
        get { full.withLock { $0 } }
        set { full.withLock { $0 = newValue } }
    }

    package func under(_ store: any Store) -> any Store { DiskStore(store: store, disk: self) }
}

/// A write is decided as ever and fails at its end, as SQLite's commit does.
private struct DiskStore: Store {
    let store: any Store
    let disk: TestDisk

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
        let isFull = disk.isFull
        return try await store.write(tenant) { writer in
            let value = try body(writer)
            if isFull { throw StoreFault(reason: .notWritable, message: "SQLite 13: database or disk is full") }
            return value
        }
    }

    func tenants() async throws -> [TenantName] { try await store.tenants() }

    func tenants(holdingCredential digest: String) async throws -> [TenantName] {
        try await store.tenants(holdingCredential: digest)
    }

    func close() async { await store.close() }
}

import Core

/// A store around whose changes a test lets something happen.
struct StoreUnderTest: Store {
    let store: any Store
    /// Before a change, outside its transaction.
    var before: @Sendable (any Store, TenantName) async throws -> Void = { _, _ in }
    /// At the end of a change, inside its transaction: what it throws undoes the change.
    var end: @Sendable () throws -> Void = {}

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
        try await before(store, tenant)
        return try await store.write(tenant) { [end] writer in
            let value = try body(writer)
            try end()
            return value
        }
    }

    func isOnlyWriter(of tenant: TenantName) -> Bool { store.isOnlyWriter(of: tenant) }

    func close() async { await store.close() }
}

package import Core

/// A store whose calls are timed.
package struct MeasuredStore: Store {
    private let store: any Store
    private let metrics: StoreMetrics
    private let clock = ContinuousClock()

    package init(_ store: any Store, _ metrics: StoreMetrics) {
        self.store = store
        self.metrics = metrics
    }

    package func read<Value: Sendable>(
        _ tenant: TenantName,
        _ body: @escaping @Sendable (any StoreReader) throws -> Value
    ) async throws -> Value {
        let start = clock.now
        defer { metrics.count(.read, microseconds: (clock.now - start).microseconds) }
        return try await store.read(tenant, body)
    }

    package func write<Value: Sendable>(
        _ tenant: TenantName,
        _ body: @escaping @Sendable (any StoreWriter) throws -> Value
    ) async throws -> Value {
        let start = clock.now
        defer { metrics.count(.write, microseconds: (clock.now - start).microseconds) }
        return try await store.write(tenant, body)
    }

    package func isOnlyWriter(of tenant: TenantName) -> Bool { store.isOnlyWriter(of: tenant) }

    package func close() async { await store.close() }
}

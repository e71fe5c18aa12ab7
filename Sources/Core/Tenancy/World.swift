package import Wire

/// What a reading transaction sees of a tenant: its records, its settings and its time.
package struct View {
    /// What is in the world.
    package let store: RecordReader
    /// The tenant's own record.
    package let tenant: Tenant
    /// The tenant's time.
    package let now: Instant
}

/// A writing transaction on a tenant. Draws and the change counter are kept with the change they serve.
package final class World {
    /// What is in the world, to be changed.
    package let store: RecordWriter
    /// The tenant's time.
    package let now: Instant
    /// The tenant's own record, written at the end when it was changed.
    package var tenant: Tenant
    let environment: Environment
    /// Nil while a world is made, or moves by itself: no credential is drawn then.
    let name: TenantName?
    /// What this transaction planned so far.
    var planned: [DueEvent] = []
    private let stored: Tenant

    init(
        store: RecordWriter,
        tenant: Tenant,
        now: Instant,
        environment: Environment,
        name: TenantName? = nil
    ) {
        self.store = store
        self.tenant = tenant
        self.now = now
        self.environment = environment
        self.name = name
        stored = tenant
    }

    /// The same world for what only reads.
    package var view: View { View(store: store, tenant: tenant, now: now) }

    /// The next number of the tenant's change counter.
    package func nextSequence() -> Int64 {
        tenant.sequence += 1
        return tenant.sequence
    }

    func finish() throws {
        if tenant != stored { try store.put(tenant) }
    }
}

/// A tenant that does not exist was asked for.
package struct UnknownTenant: Error, Sendable, Equatable {
    /// The tenant that does not exist.
    package let name: TenantName

    /// Made of its members.
    package init(name: TenantName) { self.name = name }
}

/// The store together with the environment: where handlers get transactions from.
package struct Worlds: Sendable {
    /// Where all worlds are kept.
    package let store: RecordStore
    /// What every world has.
    package let environment: Environment

    /// Made of its members.
    package init(store: any Store, environment: Environment) {
        self.store = RecordStore(store)
        self.environment = environment
    }

    /// The version of a world, see ``RecordStore/version(of:)``.
    package func version(of name: TenantName) -> Int64? { store.version(of: name) }

    /// This process's number among those that served the world, raised when it begins to: what is drawn in memory differs in
    /// each. The process that made the world has 0.
    ///
    /// - Throws: ``UnknownTenant`` or ``StoreFault``.
    package func epoch(of name: TenantName) async throws -> Int64 {
        if let epoch = store.epoch(of: name) { return epoch }
        do {
            try await write(name) { _ = try $0.store.touch() }
        } catch let fault as StoreFault where fault.reason == .notWritable {
            // A full disk refuses changes; what only reads goes on.
            return try await store.read(name) { try $0.reader().stamp()?.epoch ?? 0 } + 1
        }
        return store.epoch(of: name) ?? 0
    }

    /// One reading transaction.
    ///
    /// - Throws: ``UnknownTenant``, ``StoreFault``, or what `body` throws.
    package func read<Value: Sendable>(
        _ name: TenantName,
        _ body: @escaping @Sendable (View) throws -> Value
    ) async throws -> Value {
        let system = environment.systemNow()
        let value = try await store.read(name) { reader -> Value? in
            guard let tenant = try reader.record(Tenant.self, Tenant.recordID) else { throw UnknownTenant(name: name) }
            let now = tenant.clock.now(system: system)
            // What is due must have happened first, and only a write can let it happen.
            if let due = tenant.nextDueAt, due <= now { return nil }
            return try body(View(store: reader, tenant: tenant, now: now))
        }
        if let value { return value }
        return try await write(name) { world in try body(world.view) }
    }

    /// One writing transaction; when `body` throws, nothing was changed.
    ///
    /// - Throws: ``UnknownTenant``, ``StoreFault``, or what `body` throws.
    package func write<Value: Sendable>(
        _ name: TenantName,
        _ body: @escaping @Sendable (World) throws -> Value
    ) async throws -> Value {
        let system = environment.systemNow()
        return try await store.write(name) { writer in
            guard var tenant = try writer.record(Tenant.self, Tenant.recordID) else { throw UnknownTenant(name: name) }
            let now = tenant.clock.now(system: system)
            if let due = tenant.nextDueAt, due <= now {
                tenant = try happen(until: now, tenant, writer)
            }
            let world = World(store: writer, tenant: tenant, now: now, environment: environment, name: name)
            let value = try body(world)
            try world.finish()
            return value
        }
    }

    /// One writing transaction that is undone when `isKept` says no to what it gave.
    ///
    /// - Throws: ``UnknownTenant``, ``StoreFault``, or what `body` throws.
    package func write<Value: Sendable>(
        _ name: TenantName,
        keptIf isKept: @escaping @Sendable (Value) -> Bool,
        _ body: @escaping @Sendable (World) throws -> Value
    ) async throws -> Value {
        do {
            return try await write(name) { world in
                let value = try body(world)
                guard isKept(value) else { throw Undone(value: value) }
                return value
            }
        } catch let undone as Undone<Value> {
            return undone.value
        }
    }

    /// What a write gave that was undone.
    private struct Undone<Value: Sendable>: Error {
        let value: Value
    }
}

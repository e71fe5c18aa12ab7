/// Any store, with records in place of documents: what is read is remembered, what is changed is written once.
///
/// Of a world that nobody else writes, a reading of what is remembered runs where it is asked and waits for nobody.
package struct RecordStore: Sendable {
    private let store: any Store
    private let cache = RecordCache()

    /// Made of its members.
    package init(_ store: any Store) { self.store = store }

    /// One reading transaction. The closure only reads: it may be called twice, and only what the last call gave counts.
    ///
    /// - Throws: ``StoreFault``, or what `body` throws.
    package func read<Value: Sendable>(
        _ tenant: TenantName,
        _ body: @escaping @Sendable (RecordReader) throws -> Value
    ) async throws -> Value {
        if let version = version(of: tenant) {
            let reader = RecordReader(cache, tenant, at: version)
            let result = Result { try body(reader) }
            reader.invalidate()
            if !reader.hasMissed { return try result.get() }
        }
        let (result, version) = try await store.read(tenant) { [cache] stored in
            let version = try stored.stamp()?.version
            let reader = RecordReader(cache, tenant, stored, at: version)
            defer { reader.invalidate() }
            return (Result { try body(reader) }, version)
        }
        // What was answered at a version is never followed by an answer at an older one.
        if let version { cache.noteCommitted(version, of: tenant) }
        return try result.get()
    }

    /// One writing transaction; when `body` throws, nothing was changed.
    ///
    /// - Throws: ``StoreFault``, or what `body` throws.
    package func write<Value: Sendable>(
        _ tenant: TenantName,
        _ body: @escaping @Sendable (RecordWriter) throws -> Value
    ) async throws -> Value {
        // Who shares the world learns at the commit only which version it is.
        let isOnlyWriter = store.isOnlyWriter(of: tenant)
        do {
            let (value, change, version) = try await store.write(tenant) { [cache] writer in
                let records = try RecordWriter(cache, tenant, writer)
                defer { records.invalidate() }
                let version = records.version
                do {
                    let value = try body(records)
                    let change = try records.finish()
                    if isOnlyWriter, let change { cache.register(change, of: tenant) }
                    return (value, change, version)
                } catch {
                    throw Undone(error: error, version: version)
                }
            }
            if !isOnlyWriter, let change { cache.register(change, of: tenant) }
            if let version = change?.stamp.version ?? version {
                cache.noteCommitted(version, epoch: change?.stamp.epoch, of: tenant)
            }
            return value
        } catch let undone as Undone {
            if let version = undone.version { cache.noteCommitted(version, of: tenant) }
            throw undone.error
        } catch {
            cache.forget(tenant)
            throw error
        }
    }

    /// A write that its closure ended, and the version that it saw.
    private struct Undone: Error {
        let error: any Error
        let version: Int64?
    }

    /// The version of a world, where this process knows that no other is newer: what was worked out from readings that began
    /// after is true as long as the world has the version.
    package func version(of tenant: TenantName) -> Int64? {
        store.isOnlyWriter(of: tenant) ? cache.committed(tenant) : nil
    }

    /// This process's number among those that wrote the world, see ``WorldStamp/epoch``; nil when it has not.
    func epoch(of tenant: TenantName) -> Int64? { cache.epoch(tenant) }

    /// Every tenant that has a world, in order of name.
    package func tenants() async throws -> [TenantName] { try await store.read(.default) { try $0.tenants() } }

    /// Every tenant with a record that has the credential, in order of name.
    package func tenants(holdingCredential digest: String) async throws -> [TenantName] {
        try await store.read(.default) { try $0.tenants(holdingCredential: digest) }
    }

    /// Ends what is under way, and lets the store go.
    package func close() async { await store.close() }
}

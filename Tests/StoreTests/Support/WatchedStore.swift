import Core
import Synchronization
import Wire

/// A store that notes what is asked of it, without stamps.
final class WatchedStore: Store {
    private let store: any Store
    private let noted = Mutex<[String]>([])

    init(_ store: any Store) { self.store = store }

    /// What was asked since the last time.
    func calls() -> [String] {
        noted.withLock { noted in
            defer { noted = [] }
            return noted
        }
    }

    fileprivate func note(_ call: String) { noted.withLock { $0.append(call) } }

    func read<Value: Sendable>(
        _ tenant: TenantName,
        _ body: @escaping @Sendable (any StoreReader) throws -> Value
    ) async throws -> Value {
        try await store.read(tenant) { try body(WatchedReader(store: self, reader: $0)) }
    }

    func write<Value: Sendable>(
        _ tenant: TenantName,
        _ body: @escaping @Sendable (any StoreWriter) throws -> Value
    ) async throws -> Value {
        try await store.write(tenant) { try body(WatchedWriter(store: self, writer: $0)) }
    }

    func isOnlyWriter(of tenant: TenantName) -> Bool { store.isOnlyWriter(of: tenant) }
    func close() async { await store.close() }
}

private class WatchedReader: StoreReader {
    let store: WatchedStore
    private let reader: any StoreReader

    init(store: WatchedStore, reader: any StoreReader) {
        self.store = store
        self.reader = reader
    }

    func stamp() throws -> WorldStamp? { try reader.stamp() }

    func document(kind: String, id: String) throws -> [UInt8]? {
        store.note("read \(id)")
        return try reader.document(kind: kind, id: id)
    }

    func documents(kind: String, key: RecordKey?) throws -> [StoredDocument] {
        store.note("list \(key?.value ?? "")")
        return try reader.documents(kind: kind, key: key)
    }

    func documents(kind: String, after id: String?, limit: Int) throws -> [StoredDocument] {
        try reader.documents(kind: kind, after: id, limit: limit)
    }

    func size(of tenant: TenantName) throws -> Int { try reader.size(of: tenant) }
    func number(of owner: VaultOwner) throws -> String? { try reader.number(of: owner) }
    func owners(ofNumber number: String) throws -> [VaultOwner] { try reader.owners(ofNumber: number) }
    func world(of tenant: TenantName) throws -> StoredWorld? { try reader.world(of: tenant) }
    func snapshots() throws -> [Snapshot] { try reader.snapshots() }
    func snapshot(_ id: String) throws -> StoredWorld? { try reader.snapshot(id) }
    func tenants() throws -> [TenantName] { try reader.tenants() }
    func tenants(holdingCredential digest: String) throws -> [TenantName] {
        try reader.tenants(holdingCredential: digest)
    }
}

private final class WatchedWriter: WatchedReader, StoreWriter {
    private let writer: any StoreWriter

    init(store: WatchedStore, writer: any StoreWriter) {
        self.writer = writer
        super.init(store: store, reader: writer)
    }

    func setStamp(_ stamp: WorldStamp) throws { try writer.setStamp(stamp) }

    func put(_ row: StoredWorld.Row, over keys: [RecordKey]?) throws {
        let change = keys.map { $0 == row.keys ? "replace" : "move" } ?? "add"
        store.note("\(change) \(row.id)")
        try writer.put(row, over: keys)
    }

    func remove(kind: String, id: String) throws {
        store.note("remove \(id)")
        try writer.remove(kind: kind, id: id)
    }

    func setNumber(_ number: String?, of owner: VaultOwner) throws { try writer.setNumber(number, of: owner) }
    func replaceWorld(with world: StoredWorld?) throws { try writer.replaceWorld(with: world) }
    func removeSnapshot(_ id: String) throws -> Bool { try writer.removeSnapshot(id) }
    func attempt<Value>(_ body: () throws -> Value) throws -> Value { try writer.attempt(body) }

    func keepSnapshot(_ id: String, at time: Instant, _ world: StoredWorld) throws -> Snapshot {
        try writer.keepSnapshot(id, at: time, world)
    }
}

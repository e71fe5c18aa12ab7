import Core
import Synchronization
import Wire

/// The smallest store: arrays under one lock, and copies to undo.
final class DictionaryStore: Store {
    fileprivate struct Content: Sendable {
        var worlds: [TenantName: (stamp: WorldStamp, world: StoredWorld)] = [:]
        var snapshots: [TenantName: [(snapshot: Snapshot, world: StoredWorld)]] = [:]
        var isClosed = false
    }

    private let content = Mutex(Content())

    func read<Value: Sendable>(
        _ tenant: TenantName,
        _ body: @escaping @Sendable (any StoreReader) throws -> Value
    ) async throws -> Value {
        try content.withLock { content in
            let reader = DictionaryReader(tenant, try content.opened())
            defer { reader.isOver = true }
            return try body(reader)
        }
    }

    func write<Value: Sendable>(
        _ tenant: TenantName,
        _ body: @escaping @Sendable (any StoreWriter) throws -> Value
    ) async throws -> Value {
        try content.withLock { content in
            let writer = DictionaryWriter(tenant, try content.opened())
            defer { writer.isOver = true }
            let value = try body(writer)
            content = writer.content
            return value
        }
    }

    /// Somebody could; so the contract also runs where no memory is asked before the store.
    func isOnlyWriter(of tenant: TenantName) -> Bool { false }

    func close() async { content.withLock { $0.isClosed = true } }
}

extension DictionaryStore.Content {
    fileprivate func opened() throws -> DictionaryStore.Content {
        if isClosed { throw StoreFault(reason: .closed, message: "The store was closed.") }
        return self
    }
}

private class DictionaryReader: StoreReader {
    let tenant: TenantName
    var content: DictionaryStore.Content
    var isOver = false

    init(_ tenant: TenantName, _ content: DictionaryStore.Content) {
        self.tenant = tenant
        self.content = content
    }

    func check() throws {
        if isOver { throw StoreFault(reason: .failed, message: "The transaction is over.") }
    }

    /// A world without a stamp is one that is being made.
    func world() throws -> StoredWorld {
        try check()
        return content.worlds[tenant]?.world ?? StoredWorld()
    }

    func stamp() throws -> WorldStamp? {
        try check()
        return content.worlds[tenant].flatMap { $0.stamp.version < 0 ? nil : $0.stamp }
    }

    func document(kind: String, id: String) throws -> [UInt8]? {
        try world().rows.first { $0.kind == kind && $0.id == id }?.document
    }

    func documents(kind: String, key: RecordKey?) throws -> [StoredDocument] {
        try world().rows.filter { row in row.kind == kind && key.map(row.keys.contains) ?? true }
            .map { StoredDocument(id: $0.id, bytes: $0.document) }
    }

    func documents(kind: String, after id: String?, limit: Int) throws -> [StoredDocument] {
        let all = try documents(kind: kind, key: nil)
        guard let id else { return Array(all.prefix(limit)) }
        return Array(all.drop { $0.id != id }.dropFirst().prefix(limit))
    }

    func number(of owner: VaultOwner) throws -> String? { try world().numbers.first { $0.owner == owner }?.digits }

    func owners(ofNumber number: String) throws -> [VaultOwner] {
        try world().numbers.filter { $0.digits == number }.map(\.owner)
    }

    func world(of tenant: TenantName) throws -> StoredWorld? {
        try check()
        return content.worlds[tenant]?.world
    }

    func size(of tenant: TenantName) throws -> Int {
        try world(of: tenant)?.rows.reduce(0) { $0 + $1.document.count } ?? 0
    }

    func snapshots() throws -> [Snapshot] {
        try check()
        return content.snapshots[tenant, default: []].map(\.snapshot)
    }

    func snapshot(_ id: String) throws -> StoredWorld? {
        try check()
        return content.snapshots[tenant, default: []].first { $0.snapshot.id == id }?.world
    }

    func tenants() throws -> [TenantName] {
        try check()
        return content.worlds.filter { $0.value.stamp.version >= 0 }.keys.sorted()
    }

    func tenants(holdingCredential digest: String) throws -> [TenantName] {
        try check()
        let key = RecordKey.credential(digest)
        return content.worlds.filter { $0.value.world.rows.contains { $0.keys.contains(key) } }.keys.sorted()
    }
}

private final class DictionaryWriter: DictionaryReader, StoreWriter {
    private func change(_ body: (inout StoredWorld) -> Void) throws {
        try check()
        body(&content.worlds[tenant, default: (WorldStamp(version: -1, epoch: 0), StoredWorld())].world)
    }

    func setStamp(_ stamp: WorldStamp) throws {
        try change { _ in }
        content.worlds[tenant]?.stamp = stamp
    }

    func put(_ row: StoredWorld.Row, over keys: [RecordKey]?) throws {
        try change { world in
            let index = world.rows.firstIndex { $0.kind == row.kind && $0.id == row.id }
            if let index { world.rows[index] = row } else { world.rows.append(row) }
        }
    }

    func remove(kind: String, id: String) throws {
        try change { $0.rows.removeAll { $0.kind == kind && $0.id == id } }
    }

    func setNumber(_ number: String?, of owner: VaultOwner) throws {
        try change { world in
            world.numbers.removeAll { $0.owner == owner }
            if let number { world.numbers.append(StoredWorld.Number(owner: owner, digits: number)) }
        }
    }

    func replaceWorld(with world: StoredWorld?) throws {
        try change { $0 = world ?? StoredWorld() }
        if world == nil { content.worlds[tenant] = nil }
    }

    func keepSnapshot(_ id: String, at time: Instant, _ world: StoredWorld) throws -> Snapshot {
        try check()
        let bytes = world.rows.reduce(0) { $0 + $1.document.count }
        let snapshot = Snapshot(id: id, at: time, records: world.rows.count, bytes: bytes)
        content.snapshots[tenant, default: []].append((snapshot, world))
        return snapshot
    }

    func removeSnapshot(_ id: String) throws -> Bool {
        guard try snapshot(id) != nil else { return false }
        content.snapshots[tenant, default: []].removeAll { $0.snapshot.id == id }
        return true
    }

    func attempt<Value>(_ body: () throws -> Value) throws -> Value {
        try check()
        let before = content
        do {
            return try body()
        } catch {
            content = before
            throw error
        }
    }
}

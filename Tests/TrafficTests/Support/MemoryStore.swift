import Core
import Synchronization
import Wire

/// A store that knows tenants and nothing else, takes no change, and lets other tasks run inside each call.
final class MemoryStore: Store {
    private let state = Mutex<(tenants: Set<TenantName>, fills: Int)>(([], 0))

    var fills: Int { state.withLock { $0.fills } }

    func fill(_ name: TenantName) async {
        await Task.yield()
        state.withLock { state in
            state.tenants.insert(name)
            state.fills += 1
        }
    }

    func read<Value: Sendable>(
        _ tenant: TenantName,
        _ body: @escaping @Sendable (any StoreReader) throws -> Value
    ) async throws -> Value {
        let exists = state.withLock { $0.tenants.contains(tenant) }
        await Task.yield()
        return try body(Reader(exists: exists))
    }

    func write<Value: Sendable>(
        _ tenant: TenantName,
        _ body: @escaping @Sendable (any StoreWriter) throws -> Value
    ) async throws -> Value {
        throw StoreFault(reason: .notWritable, message: "")
    }

    func isOnlyWriter(of tenant: TenantName) -> Bool { false }
    func close() async {}

    private struct Reader: StoreReader {
        let exists: Bool

        func stamp() -> WorldStamp? { exists ? WorldStamp(version: 1, epoch: 0) : nil }
        func document(kind: String, id: String) -> [UInt8]? { exists ? Tenant(seed: 1).document.bytes : nil }
        func documents(kind: String, key: RecordKey?) -> [StoredDocument] { [] }
        func documents(kind: String, after id: String?, limit: Int) -> [StoredDocument] { [] }
        func size(of tenant: TenantName) -> Int { 0 }
        func number(of owner: VaultOwner) -> String? { nil }
        func owners(ofNumber number: String) -> [VaultOwner] { [] }
        func world(of tenant: TenantName) -> StoredWorld? { nil }
        func snapshots() -> [Snapshot] { [] }
        func snapshot(_ id: String) -> StoredWorld? { nil }
        func tenants() -> [TenantName] { [] }
        func tenants(holdingCredential digest: String) -> [TenantName] { [] }
    }
}

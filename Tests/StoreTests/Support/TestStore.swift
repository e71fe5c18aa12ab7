import Core
import Store
import Testing
import Wire

/// Every conformer must pass the contract.
enum Backend: String, CaseIterable, CustomTestStringConvertible {
    case memory, file

    var testDescription: String { rawValue }
}

/// Gives `body` an empty store of its own and closes it.
func withStore(_ backend: Backend, _ body: (SQLiteStore) async throws -> Void) async throws {
    let directory = try TestDirectory()
    let location: StoreConfiguration.Location =
        switch backend {
        case .memory: .memory
        case .file: .file(directory.file("store.db"))
        }
    try await withStore(StoreConfiguration(location), body)
}

/// Gives `body` the store of a configuration and closes it, also when `body` throws.
func withStore(_ configuration: StoreConfiguration, _ body: (SQLiteStore) async throws -> Void) async throws {
    let store = try await SQLiteStore.open(configuration)
    do {
        try await body(store)
    } catch {
        await store.close()
        throw error
    }
    await store.close()
}

/// Opens a store that must be refused, and gives the fault.
func refusal(of configuration: StoreConfiguration) async throws -> StoreFault {
    try #require(
        await #expect(throws: StoreFault.self) { await (try SQLiteStore.open(configuration)).close() }
    )
}

extension StoreConfiguration {
    /// With a look-up hash that is good enough for tests, and in which no number can be read.
    init(_ location: Location, maximumBytes: Int? = nil, migrations: [Migration] = Migration.all) {
        self.init(location, maximumBytes: maximumBytes) { key, number in
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            return (0..<4).flatMap { _ in
                for byte in key + number { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
                return withUnsafeBytes(of: hash) { bytes in [UInt8](bytes) }
            }
        }
        self.migrations = migrations
    }
}

extension TenantName {
    static let other = TenantName("other") ?? .default
}

/// Thrown by closures of tests.
struct Refusal: Error, Equatable {}

extension StoreWriter {
    /// Puts a small document.
    func put(_ id: String, _ value: JSON = 1, keys: [RecordKey] = []) throws {
        try put(kind: "thing", id: id, keys: keys, document: ["id": .string(id), "value": value])
    }
}

extension StoreReader {
    func value(_ id: String) throws -> JSON? { try document(kind: "thing", id: id)?["value"] }

    func ids(_ key: RecordKey) throws -> [String] {
        try documents(kind: "thing", key: key).compactMap { document in document["id"]?.string }
    }

    func ids() throws -> [String] { try documents(kind: "thing").compactMap { document in document["id"]?.string } }
}

extension SQLiteStore {
    func value(_ id: String) async throws -> JSON? { try await read(.default) { reader in try reader.value(id) } }

    func ids() async throws -> [String] { try await read(.default) { reader in try reader.ids() } }
}

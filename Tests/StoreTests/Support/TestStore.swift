import Core
import Store
import Testing
import Wire

/// Every conformer must pass the contract.
enum Conformer: String, CaseIterable, CustomTestStringConvertible {
    case memory, file, dictionary

    var testDescription: String { rawValue }
}

/// SQLite's two places.
enum Backend: String, CaseIterable, CustomTestStringConvertible {
    case memory, file

    var testDescription: String { rawValue }
}

/// Gives `body` an empty store of its own and closes it.
func withStore(_ conformer: Conformer, _ body: (any Store) async throws -> Void) async throws {
    switch conformer {
    case .memory: try await withStore(Backend.memory) { try await body($0) }
    case .file: try await withStore(Backend.file) { try await body($0) }
    case .dictionary: try await closing(DictionaryStore(), body)
    }
}

/// Gives `body` an empty SQLite store of its own and closes it.
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
    try await closing(try await SQLiteStore.open(configuration), body)
}

private func closing<S: Store>(_ store: S, _ body: (S) async throws -> Void) async throws {
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
    func put(_ id: String, _ value: JSON = 1, keys: [RecordKey] = [], over before: [RecordKey]? = nil) throws {
        let document: JSON = ["id": .string(id), "value": value]
        try put(StoredWorld.Row(kind: "thing", id: id, keys: keys, document: document.bytes), over: before)
    }
}

extension StoreReader {
    func value(_ id: String) throws -> JSON? {
        try document(kind: "thing", id: id).flatMap { try JSON.parse($0, integers: .any)["value"] }
    }

    func ids(_ key: RecordKey? = nil) throws -> [String] {
        try documents(kind: "thing", key: key).map { document in
            let id = try JSON.parse(document.bytes, integers: .any)["id"]?.string
            #expect(id == document.id)
            return document.id
        }
    }
}

extension Store {
    func value(_ id: String) async throws -> JSON? { try await read(.default) { reader in try reader.value(id) } }

    func ids() async throws -> [String] { try await read(.default) { reader in try reader.ids() } }
}

/// A small record.
struct Thing: Record {
    static let kind = "thing"
    var id: String
    var owner: String
    var value: JSON

    var recordID: String { id }
    var keys: [RecordKey] { [RecordKey("owner", owner)] }
    var document: JSON { ["id": .string(id), "owner": .string(owner), "value": value] }

    init(_ id: String, _ value: JSON = 1, owner: String = "x") {
        self.id = id
        self.owner = owner
        self.value = value
    }

    init(document: JSON) throws(RecordFault) {
        let reader = DocumentReader(Thing.kind, document)
        id = try reader.string("id")
        owner = try reader.string("owner")
        value = reader.value("value") ?? .null
    }
}

extension RecordReader {
    func value(_ id: String) throws -> JSON? { try record(Thing.self, id)?.value }

    func ids(owner: String) throws -> [String] { try records(Thing.self, "owner", owner).map(\.id) }

    func ids() throws -> [String] { try records(Thing.self).map(\.id) }
}

extension RecordStore {
    func value(_ id: String, of tenant: TenantName = .default) async throws -> JSON? {
        try await read(tenant) { reader in try reader.value(id) }
    }

    func ids() async throws -> [String] { try await read(.default) { reader in try reader.ids() } }

    func put(_ thing: Thing, in tenant: TenantName = .default) async throws {
        try await write(tenant) { writer in try writer.put(thing) }
    }
}

import Wire

/// What a transaction sees of its tenant's records. Valid only inside the closure.
///
/// What this process knows is taken from memory, where the world has the version that it is known of; the rest comes from the
/// store. A reading without a store knows nothing else: what it misses is read again in the store.
package class RecordReader {
    let tenant: TenantName
    let cache: RecordCache
    /// The version of the world that memory is asked for; nil when it knows nothing of what is read.
    var version: Int64?
    private let stored: (any StoreReader)?
    private var isOver = false
    /// Something was asked that memory does not know: what came of the reading does not count.
    private(set) var hasMissed = false

    /// Why the closure ends early.
    private struct Missed: Error {}

    /// A reading of what is in memory.
    init(_ cache: RecordCache, _ tenant: TenantName, at version: Int64) {
        self.cache = cache
        self.tenant = tenant
        self.version = version
        stored = nil
    }

    /// A transaction of the store.
    init(_ cache: RecordCache, _ tenant: TenantName, _ stored: any StoreReader, at version: Int64?) {
        self.cache = cache
        self.tenant = tenant
        self.version = version
        self.stored = stored
    }

    /// The call is over.
    func invalidate() { isOver = true }

    /// - Throws: ``StoreFault`` when the call is over.
    func check() throws(StoreFault) {
        if isOver {
            throw StoreFault(reason: .failed, message: "The transaction was used after its call had ended.")
        }
    }

    /// The store; a miss when there is only memory.
    func reader() throws -> any StoreReader {
        try check()
        if let stored { return stored }
        hasMissed = true
        throw Missed()
    }

    /// The record with an id; nil when there is none.
    package final func record<R: Record>(_ type: R.Type, _ id: String) throws -> R? {
        try find(RecordPlace(kind: R.kind, id: id)) { bytes in try R(stored: bytes) }.map { try R(known: $0) }
    }

    /// The record at a place, without its type, which `read` gives it.
    func find(_ place: RecordPlace, _ read: ([UInt8]) throws -> any Record) throws -> (any Record)? {
        try check()
        if case .record(let known) = content(place) { return known }
        guard let bytes = try reader().document(kind: place.kind, id: place.id) else {
            keep(.record(nil), place)
            return nil
        }
        let record = try read(bytes)
        keep(.record(record), place, bytes: bytes.count)
        return record
    }

    /// The records that have the key, in order of creation.
    package final func records<R: Record>(_ type: R.Type, _ name: String, _ value: String) throws -> [R] {
        try list(type, RecordKey(name, value))
    }

    /// All records of a kind, in order of creation.
    package final func records<R: Record>(_ type: R.Type) throws -> [R] { try list(type, nil) }

    /// At most so many records of a kind, in order of creation: those behind the one with the id, or the first ones. None when
    /// there is no such one. They are not remembered: a long list would drive out what is used.
    package func records<R: Record>(_ type: R.Type, after id: String?, limit: Int) throws -> [R] {
        try reader().documents(kind: R.kind, after: id, limit: limit).map { try R(stored: $0.bytes) }
    }

    /// Whether any record of the kind has the key.
    package func hasRecords(kind: String, key: RecordKey) throws -> Bool {
        try check()
        // Asked of what is new, and so hardly ever twice.
        return try !reader().documents(kind: kind, key: key).isEmpty
    }

    private func list<R: Record>(_ type: R.Type, _ key: RecordKey?) throws -> [R] {
        let found = try find(R.kind, key) { bytes in try R(stored: bytes) }
        var records: [R] = []
        records.reserveCapacity(found.count)
        for record in found { records.append(try R(known: record)) }
        return records
    }

    /// The records of a kind that have the key, or all of them, without their type, which `read` gives them.
    func find(_ kind: String, _ key: RecordKey?, _ read: ([UInt8]) throws -> any Record) throws -> [any Record] {
        try check()
        let place = RecordPlace(kind: kind, key: key)
        if case .ids(let ids) = content(place), let records = known(kind, ids) { return records }
        let documents = try reader().documents(kind: kind, key: key)
        let isKept = documents.count <= KnownWorld.longest
        if isKept { keep(.ids(documents.map(\.id)), place) }
        var records: [any Record] = []
        records.reserveCapacity(documents.count)
        for document in documents {
            let place = RecordPlace(kind: kind, id: document.id)
            if case .record(let known?) = content(place) {
                records.append(known)
            } else {
                let record = try read(document.bytes)
                if isKept { keep(.record(record), place, bytes: document.bytes.count) }
                records.append(record)
            }
        }
        return records
    }

    /// The records of a look-up that is known; nil when one of them is not known.
    private func known(_ kind: String, _ ids: [String]) -> [any Record]? {
        var records: [any Record] = []
        records.reserveCapacity(ids.count)
        for id in ids {
            guard case .record(let known?) = content(RecordPlace(kind: kind, id: id)) else { return nil }
            records.append(known)
        }
        return records
    }

    private func content(_ place: RecordPlace) -> KnownWorld.Content? {
        version.flatMap { cache.content(place, of: tenant, at: $0) }
    }

    private func keep(_ content: KnownWorld.Content, _ place: RecordPlace, bytes: Int = 0) {
        if let version { cache.keep(content, place, of: tenant, at: version, bytes: bytes) }
    }

    /// The card or token number of an owner, from the vault.
    package func number(of owner: VaultOwner) throws -> String? { try reader().number(of: owner) }

    /// Who owns a number, in order of entry.
    package func owners(ofNumber number: String) throws -> [VaultOwner] { try reader().owners(ofNumber: number) }

    /// How many tenants the store has, this one included when it has a world.
    package func tenantCount() throws -> Int { try reader().tenants().count }

    /// Every record and number of any tenant; nil when it has no world.
    package func everything(of tenant: TenantName) throws -> StoredWorld? { try reader().world(of: tenant) }

    /// Bytes of all documents of any tenant together.
    package func size(of tenant: TenantName) throws -> Int { try reader().size(of: tenant) }

    /// What was kept of this tenant, the oldest first.
    package func snapshots() throws -> [Snapshot] { try reader().snapshots() }

    /// The world that was kept under an id; nil when there is none.
    package func snapshot(_ id: String) throws -> StoredWorld? { try reader().snapshot(id) }
}

extension Record {
    /// A record that is remembered; whoever put it may have had another type for the kind.
    init(known record: any Record) throws {
        if let record = record as? Self { self = record } else { try self.init(stored: record.document.bytes) }
    }

    /// - Throws: ``StoreFault/Reason/damaged``, naming the kind and no content.
    init(stored bytes: [UInt8]) throws(StoreFault) {
        let kind = Self.kind
        let document: JSON
        do {
            document = try JSON.parse(bytes, maximumDepth: .max, integers: .any)
        } catch {
            throw StoreFault(reason: .damaged, message: "A document of kind \(kind) is not JSON: \(error.reason).")
        }
        do throws(RecordFault) {
            try self.init(document: document)
        } catch {
            let message = "A document of kind \(kind) is not one of its kind: \(error.kind), \(error.member)."
            throw StoreFault(reason: .damaged, message: message)
        }
    }
}

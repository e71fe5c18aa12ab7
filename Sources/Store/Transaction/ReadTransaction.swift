import Core
import Wire

/// What one call sees of its tenant. Lives on the store thread, for one call.
class ReadTransaction: StoreReader {
    /// Nil once the call is over: a reader that was kept then fails instead of reaching into SQLite.
    private var session: Session?
    let tenant: String

    init(_ session: Session, _ tenant: TenantName) {
        self.session = session
        self.tenant = tenant.text
    }

    /// The call is over.
    func invalidate() { session = nil }

    /// - Throws: ``StoreFault`` when the call is over.
    func current() throws(StoreFault) -> Session {
        guard let session else {
            throw StoreFault(reason: .failed, message: "The transaction was used after its call had ended.")
        }
        return session
    }

    func document(kind: String, id: String) throws -> JSON? {
        let session = try current()
        return try session.ordinal(tenant, kind, id).map { try session.document($0, kind: kind) }
    }

    func documents(kind: String, key: RecordKey) throws -> [JSON] {
        let session = try current()
        return try session.ordinals(tenant, kind, key).map { try session.document($0, kind: kind) }
    }

    func documents(kind: String) throws -> [JSON] {
        let session = try current()
        return try session.ordinals(tenant, kind).map { try session.document($0, kind: kind) }
    }

    func record<R: Record>(_ type: R.Type, _ id: String) throws -> R? {
        let found: [R] = try remembered("", id) { session in
            guard let ordinal = try session.ordinal(tenant, R.kind, id) else { return [] }
            return [try session.record(ordinal)]
        }
        return found.first
    }

    func records<R: Record>(_ type: R.Type, _ name: String, _ value: String) throws -> [R] {
        try remembered(name, value) { session in
            try session.records(session.ordinals(tenant, R.kind, RecordKey(name, value)))
        }
    }

    /// What the memo knows, or else what `find` finds; a transaction that may write asks and tells it nothing.
    private func remembered<R: Record>(
        _ key: String,
        _ value: String,
        _ find: (Session) throws -> [R]
    ) throws -> [R] {
        let session = try current()
        guard session.isReading else { return try find(session) }
        let place = ReadMemo.Place(tenant: tenant, kind: R.kind, key: key, value: value)
        if let known: [R] = session.memo.records(place) { return known }
        let records = try find(session)
        session.memo.keep(records, place)
        return records
    }

    func records<R: Record>(_ type: R.Type) throws -> [R] {
        let session = try current()
        return try session.records(session.ordinals(tenant, R.kind))
    }

    func number(of owner: VaultOwner) throws -> String? {
        try current().statements.number.first(tenant, owner.kind, owner.id) { row in row.text(0) }
    }

    func owners(ofNumber number: String) throws -> [VaultOwner] {
        let session = try current()
        return try session.statements.owners.all(tenant, Blob(session.lookup(number))) { row in
            VaultOwner(kind: row.text(0), id: row.text(1))
        }
    }

    func tenantCount() throws -> Int {
        Int(try current().statements.tenantCount.first { row in row.integer(0) } ?? 0)
    }

    func everything(of tenant: TenantName) throws -> StoredWorld? {
        let session = try current()
        let rows = try session.rows(of: tenant.text)
        return rows.isEmpty ? nil : StoredWorld(rows: rows, numbers: try session.numbers(of: tenant.text))
    }

    func snapshots() throws -> [Snapshot] {
        try current().statements.snapshots.all(tenant) { row in
            Snapshot(
                id: row.text(0),
                at: Instant(milliseconds: row.integer(1)),
                records: Int(row.integer(2)),
                bytes: Int(row.integer(3))
            )
        }
    }

    func snapshot(_ id: String) throws -> StoredWorld? {
        let session = try current()
        let content = try session.statements.snapshotContent.first(tenant, id) { row in row.bytes(0) }
        guard let content else { return nil }
        guard let rows = SnapshotContent.decode(content) else {
            throw StoreFault(reason: .damaged, message: "A snapshot cannot be read.")
        }
        return StoredWorld(rows: rows, numbers: try session.numbers(of: SnapshotContent.vaultTenant(tenant, id)))
    }
}

extension Session {
    fileprivate func ordinal(_ tenant: String, _ kind: String, _ id: String) throws(StoreFault) -> Int64? {
        try statements.ordinal.first(tenant, kind, id) { row in row.integer(0) }
    }

    fileprivate func ordinals(_ tenant: String, _ kind: String, _ key: RecordKey) throws(StoreFault) -> [Int64] {
        try statements.ordinalsByKey.all(tenant, kind, key.name, key.value) { row in row.integer(0) }
    }

    fileprivate func ordinals(_ tenant: String, _ kind: String) throws(StoreFault) -> [Int64] {
        try statements.ordinalsOfKind.all(tenant, kind) { row in row.integer(0) }
    }

    /// A record that exists, made of its document at the first time.
    ///
    /// - Throws: ``StoreFault/Reason/damaged`` when the document is not one of its kind.
    fileprivate func record<R: Record>(_ ordinal: Int64) throws(StoreFault) -> R {
        if let record = cache.entry(ordinal)?.record as? R { return record }
        let document = try document(ordinal, kind: R.kind)
        let record: R
        do throws(RecordFault) {
            record = try R(document: document)
        } catch {
            let message = "A document of kind \(R.kind) is none of its kind: \(error.kind), \(error.member)."
            throw StoreFault(reason: .damaged, message: message)
        }
        cache.entry(ordinal)?.record = record
        return record
    }

    fileprivate func records<R: Record>(_ ordinals: [Int64]) throws -> [R] {
        var records: [R] = []
        records.reserveCapacity(ordinals.count)
        for ordinal in ordinals { records.append(try record(ordinal)) }
        return records
    }

    /// The document of a record that exists, from the cache or parsed from its row.
    ///
    /// - Throws: ``StoreFault/Reason/damaged`` when it is no JSON, naming the kind and no content.
    fileprivate func document(_ ordinal: Int64, kind: String) throws(StoreFault) -> JSON {
        if let document = cache.entry(ordinal)?.document { return document }
        let bytes = try statements.document.first(ordinal) { row in row.bytes(0) }
        guard let bytes else { throw StoreFault(reason: .damaged, message: "A record of kind \(kind) has no row.") }
        let document: JSON
        do {
            document = try JSON.parse(bytes, maximumDepth: .max, integers: .any)
        } catch {
            throw StoreFault(reason: .damaged, message: "A document of kind \(kind) is no JSON: \(error.reason).")
        }
        cache.set(ordinal, document, bytes: bytes.count)
        return document
    }
}

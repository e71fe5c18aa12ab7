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

    func stamp() throws -> WorldStamp? {
        try current().statements.stamp.first(tenant) { row in
            WorldStamp(version: row.integer(0), epoch: row.integer(1))
        }
    }

    func document(kind: String, id: String) throws -> [UInt8]? {
        try current().statements.document.first(tenant, kind, id) { row in row.bytes(0) }
    }

    func documents(kind: String, key: RecordKey?) throws -> [StoredDocument] {
        let statements = try current().statements
        guard let key else {
            return try statements.documentsOfKind.all(tenant, kind) { row in
                StoredDocument(id: row.text(0), bytes: row.bytes(1))
            }
        }
        return try statements.documentsByKey.all(tenant, kind, key.name, key.value) { row in
            StoredDocument(id: row.text(0), bytes: row.bytes(1))
        }
    }

    func documents(kind: String, after id: String?, limit: Int) throws -> [StoredDocument] {
        let (statements, limit) = (try current().statements, Int64(limit))
        guard let id else {
            return try statements.firstDocuments.all(tenant, kind, limit) { row in
                StoredDocument(id: row.text(0), bytes: row.bytes(1))
            }
        }
        return try statements.nextDocuments.all(tenant, kind, id, limit) { row in
            StoredDocument(id: row.text(0), bytes: row.bytes(1))
        }
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

    func world(of tenant: TenantName) throws -> StoredWorld? {
        let session = try current()
        let rows = try session.rows(of: tenant.text)
        if rows.isEmpty, try session.statements.stamp.first(tenant.text, read: { row in row.integer(0) }) == nil {
            return nil
        }
        return StoredWorld(rows: rows, numbers: try session.numbers(of: tenant.text))
    }

    func size(of tenant: TenantName) throws -> Int {
        try current().statements.size.first(tenant.text) { row in Int(row.integer(0)) } ?? 0
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

    func tenants() throws -> [TenantName] {
        try current().statements.tenants.all { row in row.text(0) }.compactMap { name in TenantName(name) }
    }

    func tenants(holdingCredential digest: String) throws -> [TenantName] {
        let key = RecordKey.credential(digest)
        return try current().statements.credentialHolders.all(key.value) { row in row.text(0) }
            .compactMap { name in TenantName(name) }
    }
}

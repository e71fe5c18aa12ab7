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
        let ordinal = try session.statements.ordinal.first(tenant, kind, id) { row in row.integer(0) }
        return try ordinal.map { ordinal throws(StoreFault) in try session.document(ordinal, kind: kind) }
    }

    func documents(kind: String, key: RecordKey) throws -> [JSON] {
        let session = try current()
        return try session.statements.ordinalsByKey
            .all(tenant, kind, key.name, key.value) { row in row.integer(0) }
            .map { ordinal throws(StoreFault) in try session.document(ordinal, kind: kind) }
    }

    func documents(kind: String) throws -> [JSON] {
        let session = try current()
        return try session.statements.ordinalsOfKind
            .all(tenant, kind) { row in row.integer(0) }
            .map { ordinal throws(StoreFault) in try session.document(ordinal, kind: kind) }
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
}

extension Session {
    /// The document of a record that exists, from the cache or parsed from its row.
    ///
    /// - Throws: ``StoreFault/Reason/damaged`` when it is no JSON, naming the kind and no content.
    fileprivate func document(_ ordinal: Int64, kind: String) throws(StoreFault) -> JSON {
        if let document = cache.document(ordinal) { return document }
        let bytes = try statements.document.first(ordinal) { row in row.bytes(0) }
        guard let bytes else { throw StoreFault(reason: .damaged, message: "A record of kind \(kind) has no row.") }
        let document: JSON
        do {
            document = try JSON.parse(bytes, maximumDepth: .max)
        } catch {
            throw StoreFault(reason: .damaged, message: "A document of kind \(kind) is no JSON: \(error.reason).")
        }
        cache.set(ordinal, document, bytes: bytes.count)
        return document
    }
}

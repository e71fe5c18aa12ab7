import Core
import Wire

/// What one call sees of its tenant. Lives on the store thread, for one call.
class ReadTransaction: StoreReader {
    /// Nil once the call is over: a reader that was kept then fails instead of reaching into SQLite.
    private var session: Session?
    let tenant: SQLValue

    init(_ session: Session, _ tenant: TenantName) {
        self.session = session
        self.tenant = .text(tenant.text)
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
        try current().statements.document.first(tenant, .text(kind), .text(id)) { row throws(StoreFault) in
            try JSON(stored: row.bytes(0), kind: kind)
        }
    }

    func documents(kind: String, key: RecordKey) throws -> [JSON] {
        try current().statements.documentsByKey.all(tenant, .text(kind), .text(key.name), .text(key.value)) {
            row throws(StoreFault) in try JSON(stored: row.bytes(0), kind: kind)
        }
    }

    func documents(kind: String) throws -> [JSON] {
        try current().statements.documentsOfKind.all(tenant, .text(kind)) { row throws(StoreFault) in
            try JSON(stored: row.bytes(0), kind: kind)
        }
    }

    func number(of owner: VaultOwner) throws -> String? {
        try current().statements.number.first(tenant, .text(owner.kind), .text(owner.id)) { row in row.text(0) }
    }

    func owners(ofNumber number: String) throws -> [VaultOwner] {
        let session = try current()
        return try session.statements.owners.all(tenant, .blob(session.lookup(number))) { row in
            VaultOwner(kind: row.text(0), id: row.text(1))
        }
    }
}

extension JSON {
    /// Reads a document that the store wrote.
    ///
    /// - Throws: ``StoreFault/Reason/damaged``, naming the kind and no content.
    fileprivate init(stored bytes: [UInt8], kind: String) throws(StoreFault) {
        do {
            self = try JSON.parse(bytes, maximumDepth: .max)
        } catch {
            throw StoreFault(reason: .damaged, message: "A document of kind \(kind) is no JSON: \(error.reason).")
        }
    }
}

package import Wire

/// Keeps tenants' worlds. Each call is one transaction, decided synchronously inside the closure.
///
/// A write whose closure throws changes nothing. A write that returned has been committed. A read's closure only reads:
/// it may be called twice, and only what the last call gave counts.
package protocol Store: Sendable {
    func read<Value: Sendable>(
        _ tenant: TenantName,
        _ body: @escaping @Sendable (any StoreReader) throws -> Value
    ) async throws -> Value

    func write<Value: Sendable>(
        _ tenant: TenantName,
        _ body: @escaping @Sendable (any StoreWriter) throws -> Value
    ) async throws -> Value

    /// Every tenant that has at least one record, in order of name.
    func tenants() async throws -> [TenantName]

    /// Every tenant that holds a credential of that digest, in order of name: of a bearer (``RecordKinds/credentials``), or
    /// of a client certificate (``CertificateFingerprint/credential(_:)``).
    func tenants(holdingCredential digest: String) async throws -> [TenantName]

    /// Finishes what was begun, writes everything to the file and lets it go. Later calls throw ``StoreFault``.
    func close() async
}

/// What a transaction sees of its tenant. Valid only inside the closure.
package protocol StoreReader {
    /// The document of one record.
    func document(kind: String, id: String) throws -> JSON?
    /// Documents that have the key, in order of creation.
    func documents(kind: String, key: RecordKey) throws -> [JSON]
    /// All documents of a kind, in order of creation.
    func documents(kind: String) throws -> [JSON]
    /// The card or token number of an owner, from the vault.
    func number(of owner: VaultOwner) throws -> String?
    /// Who owns a number, in order of entry.
    func owners(ofNumber number: String) throws -> [VaultOwner]

    /// How many tenants the store has, this one included when it has a record.
    func tenantCount() throws -> Int
    /// Every record and number of any tenant; nil when it has no record.
    func everything(of tenant: TenantName) throws -> StoredWorld?
    /// What was kept of this tenant, the oldest first.
    func snapshots() throws -> [Snapshot]
    /// The world that was kept under an id; nil when there is none.
    func snapshot(_ id: String) throws -> StoredWorld?

    // The same records in the form that handlers work with; a store may keep them so.
    func record<R: Record>(_ type: R.Type, _ id: String) throws -> R?
    func records<R: Record>(_ type: R.Type, _ name: String, _ value: String) throws -> [R]
    func records<R: Record>(_ type: R.Type) throws -> [R]
}

/// A transaction that may change its tenant.
package protocol StoreWriter: StoreReader {
    /// Adds the record, or replaces the one with its id; its place in the order of creation stays.
    func put(kind: String, id: String, keys: [RecordKey], document: JSON) throws
    func remove(kind: String, id: String) throws
    /// Sets the owner's number, replacing the one before.
    func setNumber(_ number: String, of owner: VaultOwner) throws
    func removeNumber(of owner: VaultOwner) throws
    /// Removes every record and number of the tenant; its snapshots stay.
    func removeEverything() throws
    /// Replaces every record and number of the tenant; its snapshots stay.
    func replaceEverything(with world: StoredWorld) throws
    /// Keeps a world as a snapshot of this tenant.
    ///
    /// - Returns: its size in bytes.
    func keepSnapshot(_ id: String, at time: Instant, _ world: StoredWorld) throws -> Snapshot
    /// False when there is none.
    func removeSnapshot(_ id: String) throws -> Bool
    /// Calls `body`; when it throws, undoes what it changed and rethrows, so that the transaction can go on.
    func attempt<Value>(_ body: () throws -> Value) throws -> Value
}

extension StoreReader {
    package func record<R: Record>(_ type: R.Type, _ id: String) throws -> R? {
        try document(kind: R.kind, id: id).map { document in try R(document: document) }
    }

    package func records<R: Record>(_ type: R.Type, _ name: String, _ value: String) throws -> [R] {
        try documents(kind: R.kind, key: RecordKey(name, value)).map { document in try R(document: document) }
    }

    package func records<R: Record>(_ type: R.Type) throws -> [R] {
        try documents(kind: R.kind).map { document in try R(document: document) }
    }
}

extension StoreWriter {
    package func put(_ record: some Record) throws {
        try put(kind: type(of: record).kind, id: record.recordID, keys: record.keys, document: record.document)
    }

    package func remove<R: Record>(_ type: R.Type, _ id: String) throws { try remove(kind: R.kind, id: id) }
}

/// Whose number a vault entry is.
package struct VaultOwner: Hashable, Sendable {
    /// `card`, `token`, or `retired` for a number that no card has any more.
    package let kind: String
    package let id: String

    package init(kind: String, id: String) {
        self.kind = kind
        self.id = id
    }
}

/// The store could not do what was asked. Nothing was changed.
package struct StoreFault: Error, Sendable, Equatable {
    package enum Reason: String, Sendable {
        /// The store was closed.
        case closed
        /// Another server has the file.
        case inUse
        /// The file was written by a newer version.
        case newerSchema
        /// The disk is full, or the file cannot be written.
        case notWritable
        /// The file is no store, or is damaged.
        case damaged
        /// Anything else the library reports.
        case failed
    }

    package let reason: Reason
    /// What the library said; holds no stored data.
    package let message: String

    package init(reason: Reason, message: String) {
        self.reason = reason
        self.message = message
    }
}

extension StoreFault: CustomStringConvertible {
    /// What happened and what to do about it, for the one who started the server.
    package var description: String { [message, cure].compactMap { $0 }.joined(separator: " ") }

    private var cure: String? {
        switch reason {
        case .closed, .failed: nil
        case .inUse: "Stop it, or give this server a file of its own with --store."
        case .newerSchema: "Start the newer version, or give this one another file with --store."
        case .notWritable:
            "Make room on the disk or give the server leave to write there, or give it another file with --store."
        case .damaged: "Put back a copy of the file, or give the server another one with --store."
        }
    }

    /// The fault of a store's file that could not be opened; the message names the file.
    package func opening(_ path: String) -> StoreFault {
        message.contains(path)
            ? self : StoreFault(reason: reason, message: "\(path): \(message)" + (message.hasSuffix(".") ? "" : "."))
    }
}

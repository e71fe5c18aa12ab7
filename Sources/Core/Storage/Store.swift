package import Wire

/// Keeps tenants' worlds: documents and numbers that it does not understand. All that a database must do for the sandbox;
/// typed records, what is remembered of them and what is written of them are ``RecordStore``'s.
///
/// Each call is one transaction, decided synchronously inside the closure. A write whose closure throws changes nothing. A
/// write that returned has been committed. Transactions that write one tenant come one after the other. The closure of a write
/// is called again when the store refuses what it, or another one beside it, has changed: only what the last call gave counts.
package protocol Store: Sendable {
    /// - Throws: ``StoreFault``, or what `body` throws.
    func read<Value: Sendable>(
        _ tenant: TenantName,
        _ body: @escaping @Sendable (any StoreReader) throws -> Value
    ) async throws -> Value

    /// - Throws: ``StoreFault``, or what `body` throws.
    func write<Value: Sendable>(
        _ tenant: TenantName,
        _ body: @escaping @Sendable (any StoreWriter) throws -> Value
    ) async throws -> Value

    /// Whether nobody but this store can write the tenant's world now: what it committed last is then what a read sees, and
    /// need not be asked for again.
    func isOnlyWriter(of tenant: TenantName) -> Bool

    /// Finishes what was begun, writes everything to the file and lets it go. Later calls throw ``StoreFault``.
    func close() async
}

/// What a transaction sees of its tenant. Valid only inside the closure.
package protocol StoreReader {
    /// What the last write left on the world; nil when the tenant has none.
    func stamp() throws -> WorldStamp?
    /// The document of one record, as JSON text.
    func document(kind: String, id: String) throws -> [UInt8]?
    /// The documents of a kind that have the key, or all of them, in order of creation.
    func documents(kind: String, key: RecordKey?) throws -> [StoredDocument]
    /// At most so many documents of a kind, in order of creation: those behind the one with the id, or the first ones. None
    /// when there is no such one.
    func documents(kind: String, after id: String?, limit: Int) throws -> [StoredDocument]
    /// The card or token number of an owner, from the vault.
    func number(of owner: VaultOwner) throws -> String?
    /// Who owns a number, in order of entry.
    func owners(ofNumber number: String) throws -> [VaultOwner]
    /// Every record and number of any tenant; nil when it has neither a record nor a stamp.
    func world(of tenant: TenantName) throws -> StoredWorld?
    /// Bytes of all documents of any tenant together.
    func size(of tenant: TenantName) throws -> Int
    /// What was kept of this tenant, the oldest first.
    func snapshots() throws -> [Snapshot]
    /// The world that was kept under an id; nil when there is none.
    func snapshot(_ id: String) throws -> StoredWorld?

    /// Every tenant that has a world, in order of name.
    func tenants() throws -> [TenantName]
    /// Every tenant with a record, of whatever kind, that has ``RecordKey/credential(_:)`` of that digest; in order of name.
    func tenants(holdingCredential digest: String) throws -> [TenantName]
}

/// A transaction that may change its tenant.
package protocol StoreWriter: StoreReader {
    /// The tenant has a world from then on.
    func setStamp(_ stamp: WorldStamp) throws
    /// Adds a record behind all others, or replaces the document of one, which keeps its place in the order of creation.
    ///
    /// - Parameter keys: what the record has now, which spares looking; nil when there is no such record yet.
    func put(_ row: StoredWorld.Row, over keys: [RecordKey]?) throws
    /// Removes a record with its keys, if there is one.
    func remove(kind: String, id: String) throws
    /// Sets the owner's number, replacing the one before; nil removes it.
    func setNumber(_ number: String?, of owner: VaultOwner) throws
    /// Replaces every record and number of the tenant; nil removes them with the stamp. Its snapshots stay.
    func replaceWorld(with world: StoredWorld?) throws
    /// Keeps a world as a snapshot of this tenant.
    func keepSnapshot(_ id: String, at time: Instant, _ world: StoredWorld) throws -> Snapshot
    /// False when there is none.
    func removeSnapshot(_ id: String) throws -> Bool
    /// Calls `body`; when it throws, undoes what it changed and rethrows, so that the transaction can go on.
    func attempt<Value>(_ body: () throws -> Value) throws -> Value
}

/// What is known of a world as a whole.
package struct WorldStamp: Sendable, Equatable {
    /// Higher after each write: what was read at one version is true as long as the world has it.
    package var version: Int64
    /// Counts the processes that wrote the world; the one that made it has 0.
    package var epoch: Int64

    /// Made of its members.
    package init(version: Int64, epoch: Int64) {
        self.version = version
        self.epoch = epoch
    }
}

/// One of many documents.
package struct StoredDocument: Sendable, Equatable {
    /// The id under which the tenant has it.
    package let id: String
    /// The document as JSON text.
    package let bytes: [UInt8]

    /// Made of its members.
    package init(id: String, bytes: [UInt8]) {
        self.id = id
        self.bytes = bytes
    }
}

/// Whose number a vault entry is.
package struct VaultOwner: Hashable, Sendable {
    /// `card`, `token`, or `retired` for a number that no card has any more.
    package let kind: String
    /// The id of the record whose number it is.
    package let id: String

    /// Made of its members.
    package init(kind: String, id: String) {
        self.kind = kind
        self.id = id
    }
}

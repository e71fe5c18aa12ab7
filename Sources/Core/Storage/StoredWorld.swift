package import Wire

/// Everything that the store keeps of one tenant, as rows: what an export, a snapshot and a copy are made of.
///
/// Documents stay text, so that a world is moved without being read. Never printed: it holds numbers.
package struct StoredWorld: Sendable, Equatable {
    /// One record with its keys.
    package struct Row: Sendable, Equatable {
        /// What the record is.
        package let kind: String
        /// The record's id.
        package let id: String
        /// What it can be looked up by.
        package let keys: [RecordKey]
        /// The document as JSON text.
        package let document: [UInt8]

        /// Made of its members.
        package init(kind: String, id: String, keys: [RecordKey], document: [UInt8]) {
            self.kind = kind
            self.id = id
            self.keys = keys
            self.document = document
        }
    }

    /// One entry of the vault.
    package struct Number: Sendable, Equatable {
        /// Whose number it is.
        package let owner: VaultOwner
        /// The number, whole.
        package let digits: String

        /// Made of its members.
        package init(owner: VaultOwner, digits: String) {
            self.owner = owner
            self.digits = digits
        }
    }

    /// In order of creation.
    package var rows: [Row]
    /// In order of entry.
    package var numbers: [Number]

    /// Made of its members.
    package init(rows: [Row] = [], numbers: [Number] = []) {
        self.rows = rows
        self.numbers = numbers
    }

    /// What moves with the world.
    func moving(_ kinds: RecordKinds) -> StoredWorld {
        StoredWorld(rows: rows.filter { !kinds.resident.contains($0.kind) }, numbers: numbers)
    }

    /// What stays with the tenant, before what comes in its place.
    func resident(_ kinds: RecordKinds, and world: StoredWorld = StoredWorld()) -> StoredWorld {
        StoredWorld(rows: rows.filter { kinds.resident.contains($0.kind) } + world.rows, numbers: world.numbers)
    }
}

/// A world that was kept under a name of its own.
package struct Snapshot: Sendable, Equatable {
    /// Unique within the tenant.
    package let id: String
    /// Tenant time.
    package let at: Instant
    /// How many records it holds.
    package let records: Int
    /// How much room its records take in the store.
    package let bytes: Int

    /// Made of its members.
    package init(id: String, at: Instant, records: Int, bytes: Int) {
        self.id = id
        self.at = at
        self.records = records
        self.bytes = bytes
    }
}

package import Wire

/// A thing the store keeps: one document under an id, found by its id or by a key.
///
/// The document is the only form there is: the store, an export and a snapshot share it. It never holds a PAN or a
/// token number; those stand in the vault (``RecordReader/number(of:)``).
///
/// Equal records have equal documents: one that is put as it was is not written.
package protocol Record: Sendable, Equatable {
    /// Names the kind in the store; never changed once released.
    static var kind: String { get }
    /// Unique within tenant and kind.
    var recordID: String { get }
    /// What the record can be found by, besides its id. What the store has of it is what this gives: a kind whose keys change
    /// brings a migration of them.
    var keys: [RecordKey] { get }
    var document: JSON { get }
    /// Records that this one cannot do without.
    var references: [RecordReference] { get }
    /// What of the record the tenant's change counter gave out: never more than the counter stands at.
    var counted: (member: String, number: Int64)? { get }
    /// Whether records of the kind stay under their key `device` when the device is gone; its id is not given again then.
    static var outlivesDevice: Bool { get }
    /// Whether records of the kind belong to the tenant and not to its world: an export, a snapshot or a copy has none of
    /// them, and they stay where the world is reset or replaced.
    static var isResident: Bool { get }
    /// Whether what was written is remembered; not for records that hardly anybody reads.
    static var isRemembered: Bool { get }

    /// - Throws: ``RecordFault`` when the document is not one of this kind.
    init(document: JSON) throws(RecordFault)
}

extension Record {
    /// What the record can be looked up by, besides its id.
    package var keys: [RecordKey] { [] }
    /// The records without which it makes no sense.
    package var references: [RecordReference] { [] }
    /// The member that keeps its order, given out once in a tenant.
    package var counted: (member: String, number: Int64)? { nil }
    /// Whether it stays when its device goes.
    package static var outlivesDevice: Bool { false }
    /// Whether it belongs to the tenant alone.
    package static var isResident: Bool { false }
    /// Whether it is remembered when it was written.
    package static var isRemembered: Bool { true }
}

/// A record that another one names.
package struct RecordReference: Sendable {
    /// The member of the document that names it.
    package let member: String
    /// What the record it leads to is called in the store.
    package let kind: String
    /// The id of the record it leads to.
    package let id: String

    /// A member of a document that holds the id of a record.
    package init<R: Record>(_ member: String, _ type: R.Type, _ id: String) {
        self.member = member
        kind = R.kind
        self.id = id
    }
}

/// A secondary key: all records of a kind with this name and value are found together.
package struct RecordKey: Hashable, Sendable {
    /// What the value is of, for example `nonce`.
    package let name: String
    /// What is looked up.
    package let value: String

    /// Made of its members.
    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// The name of the one key that is looked for in all tenants at once; stores have an index on it.
    package static let credentialName = "credential"

    /// A credential that leads to its tenant, whatever the kind of the record that has it.
    ///
    /// - Parameter digest: never the credential itself.
    package static func credential(_ digest: String) -> RecordKey { RecordKey(credentialName, digest) }
}

/// A stored document that is not what its kind promises: a damaged file or a wrong import.
package struct RecordFault: Error, Sendable, Equatable {
    /// What record it was to be.
    package let kind: String
    /// The member that is missing or wrong.
    package let member: String

    /// Made of its members.
    package init(kind: String, member: String) {
        self.kind = kind
        self.member = member
    }
}

/// What a look-up asks of a world: a record, or which records have a key.
struct RecordPlace: Hashable, Sendable {
    let kind: String
    /// Of a key; empty for an id and for a whole kind.
    private let name: String
    /// Nil for a whole kind.
    private let value: String?
    /// Of what tells nearly all places apart, so that no text is hashed under a lock.
    private let digest: Int

    init(kind: String, id: String) { self.init(kind: kind, name: "", value: id) }

    /// The records with the key, or all of the kind.
    init(kind: String, key: RecordKey?) { self.init(kind: kind, name: key?.name ?? "", value: key?.value) }

    private init(kind: String, name: String, value: String?) {
        self.kind = kind
        self.name = name
        self.value = value
        var hasher = Hasher()
        hasher.combine(value)
        hasher.combine(name)
        digest = hasher.finalize()
    }

    /// Of a place of one record.
    var id: String { value ?? "" }

    func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}

/// What a write did to one record.
struct RecordChange: Sendable {
    let place: RecordPlace
    let after: (any Record)?
    /// It was removed and made again, behind all others.
    let isMoved: Bool
    /// The keys before; nil when it was not there.
    let hadKeys: [RecordKey]?
    /// The keys after.
    var keys: [RecordKey] = []
    /// Of the document's text.
    var bytes = 0

    /// Whether it is worth its room in memory.
    var isRemembered: Bool { after.map { type(of: $0).isRemembered } ?? true }
}

/// What a write did to a world.
struct WorldChange: Sendable {
    /// The version that the write found; nil when there was no world.
    let from: Int64?
    let stamp: WorldStamp
    /// Nothing of what was there before is there any more.
    let isReplaced: Bool
    /// No world is there any more.
    let isRemoved: Bool
    let records: [RecordChange]
}

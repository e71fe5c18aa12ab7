import Core

/// Changes that SQLite has not been told of, in their order: of a write, or of those of a group that ended well.
///
/// What is put several times in between is told once, and so is a world's stamp.
struct PendingChanges {
    enum Change {
        case put(StoredWorld.Row, over: [RecordKey]?)
        case remove(kind: String, id: String)
        case number(String?, VaultOwner)
    }

    /// What a statement reads that may have been changed.
    enum Question {
        case kind(String)
        case numbers
        case everything
    }

    private struct Place: Hashable {
        let tenant: String
        let kind: String
        let id: String

        /// Hardly any other place has the id.
        func hash(into hasher: inout Hasher) { hasher.combine(id) }
    }

    private(set) var changes: [(tenant: String, change: Change)] = []
    private(set) var stamps: [(tenant: String, stamp: WorldStamp)] = []
    /// Where the last change of a record is.
    private var last: [Place: Int] = [:]
    /// Those of which a record was changed; a handful.
    private var kinds: [String] = []
    private var hasNumbers = false

    private var isEmpty: Bool { changes.isEmpty && stamps.isEmpty }

    /// Whether any change, in whatever world, may matter to the question.
    func matters(to question: Question) -> Bool {
        switch question {
        case .kind(let kind): kinds.contains(kind)
        case .numbers: hasNumbers
        case .everything: !isEmpty
        }
    }

    /// The document of a record that was changed, nil inside when it was removed; nil when it was not changed.
    func document(_ tenant: String, kind: String, id: String) -> [UInt8]?? {
        guard kinds.contains(kind), let index = last[Place(tenant: tenant, kind: kind, id: id)] else { return nil }
        if case .put(let row, _) = changes[index].change { return row.document }
        return .some(nil)
    }

    /// The number that an owner was given, nil inside when it was taken away; nil when it was not changed.
    func number(_ tenant: String, of owner: VaultOwner) -> String?? {
        guard hasNumbers else { return nil }
        for (changed, change) in changes.reversed() {
            if changed == tenant, case .number(let digits, owner) = change { return digits }
        }
        return nil
    }

    mutating func add(_ change: Change, of tenant: String) {
        switch change {
        case .put(let row, over: let keys):
            let place = Place(tenant: tenant, kind: row.kind, id: row.id)
            if keys != nil, let index = last[place], case .put(_, let before) = changes[index].change {
                changes[index].change = .put(row, over: before)
                return
            }
            note(place)
        case .remove(let kind, let id): note(Place(tenant: tenant, kind: kind, id: id))
        case .number: hasNumbers = true
        }
        changes.append((tenant, change))
    }

    private mutating func note(_ place: Place) {
        last[place] = changes.count
        if !kinds.contains(place.kind) { kinds.append(place.kind) }
    }

    /// The stamp that a world was given; nil when it was given none.
    func stamp(of tenant: String) -> WorldStamp? { stamps.first { $0.tenant == tenant }?.stamp }

    mutating func setStamp(_ stamp: WorldStamp, of tenant: String) {
        if let index = stamps.firstIndex(where: { $0.tenant == tenant }) {
            stamps[index].stamp = stamp
        } else {
            stamps.append((tenant, stamp))
        }
    }

    /// Nothing is left to be told; the room stays.
    mutating func removeAll() {
        changes.removeAll(keepingCapacity: true)
        stamps.removeAll(keepingCapacity: true)
        last.removeAll(keepingCapacity: true)
        kinds.removeAll(keepingCapacity: true)
        hasNumbers = false
    }
}

extension PendingChanges.Change {
    func matters(to question: PendingChanges.Question) -> Bool {
        switch (question, self) {
        case (.kind(let kind), .put(let row, _)): row.kind == kind
        case (.kind(let kind), .remove(let changed, _)): changed == kind
        case (.kind, .number), (.numbers, .put), (.numbers, .remove): false
        case (.numbers, .number), (.everything, _): true
        }
    }
}

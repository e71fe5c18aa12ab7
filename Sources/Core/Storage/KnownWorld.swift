/// What a process knows of one world. Everything is known from a version of the world on. Used under the cache's lock.
final class KnownWorld {
    enum Content: Sendable {
        /// Nil when there is none.
        case record((any Record)?)
        /// Of the records with a key or of a kind, in order of creation.
        case ids([String])

        /// Takes an id out of the list, or puts it at its end; false when it becomes too long.
        mutating func follow(_ id: String, isGone: Bool) -> Bool {
            guard case .ids(var ids) = self, ids.count < KnownWorld.longest else { return false }
            // Nobody else holds the list then, and it is changed where it stands.
            self = .record(nil)
            if isGone { ids.removeAll { $0 == id } } else { ids.append(id) }
            self = .ids(ids)
            return true
        }
    }

    struct Entry: Sendable {
        var content: Content
        var since: Int64
        /// What it counts for in the cache's budget.
        var bytes: Int
    }

    typealias Entries = [RecordPlace: Entry]

    /// Longer look-ups are not kept.
    static let longest = 1_024

    /// The highest version that this process has seen or given: what is known is true of it.
    var tip: Int64
    /// The highest version that is known to be committed.
    var committed: Int64?
    /// This process's number among those that wrote the world; nil when it has not.
    var epoch: Int64?
    var isRemoved = false
    private var young: Entries = [:]
    /// The generation before: what is used again becomes young, the rest goes with the next change of generations.
    private var old: Entries = [:]

    init(tip: Int64) { self.tip = tip }

    /// What is at a place of the world as it was at a version, and how many bytes became young with it.
    func content(_ place: RecordPlace, at version: Int64) -> (content: Content?, bytes: Int) {
        guard version <= tip else { return (nil, 0) }
        if let entry = young[place] { return (entry.since <= version ? entry.content : nil, 0) }
        guard let entry = old.removeValue(forKey: place) else { return (nil, 0) }
        young[place] = entry
        return (entry.since <= version ? entry.content : nil, entry.bytes)
    }

    /// Something is known from a version on; gives how many bytes became young with it.
    func keep(_ content: Content, _ place: RecordPlace, since version: Int64, bytes: Int) -> Int {
        let room =
            switch content {
            case .record: 256 + bytes
            case .ids(let ids): 256 + 48 * ids.count
            }
        // What it replaces is still counted: the generation only ends a little earlier.
        young[place] = Entry(content: content, since: version, bytes: room)
        return room
    }

    /// The record is another one from a version on; gives how many bytes became young with it.
    func apply(_ change: RecordChange, since version: Int64) -> Int {
        let kind = change.place.kind
        let (before, after) = (change.hadKeys ?? [], change.keys)
        if change.hadKeys == nil || change.after == nil || change.isMoved {
            update(RecordPlace(kind: kind, key: nil), change, version, had: change.hadKeys != nil)
            for key in Set(before + after) {
                update(RecordPlace(kind: kind, key: key), change, version, had: before.contains(key))
            }
        } else if before != after {
            // Where among the others it stands now, the store knows.
            for key in Set(before).symmetricDifference(after) { remove(RecordPlace(kind: kind, key: key)) }
        }
        guard change.isRemembered else {
            remove(change.place)
            return 0
        }
        return keep(.record(change.after), change.place, since: version, bytes: change.bytes)
    }

    /// Follows a record that came or went in a look-up that is known.
    private func update(_ place: RecordPlace, _ change: RecordChange, _ version: Int64, had: Bool) {
        if change.isMoved { return remove(place) }
        if young[place] == nil, let entry = old.removeValue(forKey: place) { young[place] = entry }
        guard let index = young.index(forKey: place) else { return }
        guard young.values[index].content.follow(change.place.id, isGone: had) else { return remove(place) }
        young.values[index].since = version
    }

    private func remove(_ place: RecordPlace) {
        young[place] = nil
        old[place] = nil
    }

    /// Another version is known now, and nothing of it; gives what was known.
    func restart(at version: Int64) -> [Entries] {
        tip = version
        defer { (young, old) = ([:], [:]) }
        return [young, old]
    }

    /// A new generation begins; gives what nobody asked for since the last one.
    func age() -> Entries {
        defer { (young, old) = ([:], young) }
        return old
    }
}

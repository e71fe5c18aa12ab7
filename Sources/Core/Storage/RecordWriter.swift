package import Wire

/// A transaction that may change its tenant's records.
///
/// Changes are kept in memory and written when the closure has ended: each changed record once, what did not change not at all.
/// Until then the transaction sees them where it asks. Numbers and whole worlds are written at once.
package final class RecordWriter: RecordReader {
    private let writer: any StoreWriter
    /// What the transaction found.
    private let before: WorldStamp?
    private var buffer = Buffer()

    /// What an attempt that fails goes back to.
    private struct Buffer {
        var drafts: [RecordPlace: Draft] = [:]
        /// The records that are to be written, in the order in which they are made.
        var waiting: [Draft] = []
        var written: [RecordChange] = []
        var isTouched = false
        var isReplaced = false
        var isRemoved = false

        /// With drafts of its own.
        var copy: Buffer {
            var copy = self
            copy.drafts = drafts.mapValues { Draft($0) }
            copy.waiting = waiting.compactMap { copy.drafts[$0.place] }
            return copy
        }
    }

    /// A record that the transaction read or changed.
    private final class Draft {
        let place: RecordPlace
        /// As the store has it.
        var stored: (any Record)?
        var current: (any Record)?
        var isWaiting = false

        /// It goes behind all others, because it is new or was removed in between.
        var isAdded = false

        init(_ place: RecordPlace, _ record: (any Record)?) {
            self.place = place
            stored = record
            current = record
        }

        init(_ other: Draft) {
            place = other.place
            stored = other.stored
            current = other.current
            isWaiting = other.isWaiting
            isAdded = other.isAdded
        }

        func hasKey(_ key: RecordKey?) -> Bool { current?.has(key) == true }
    }

    init(_ cache: RecordCache, _ tenant: TenantName, _ writer: any StoreWriter) throws {
        self.writer = writer
        before = try writer.stamp()
        super.init(cache, tenant, writer, at: before?.version)
    }

    /// Adds the record, or replaces the one with its id, which keeps its place in the order of creation.
    package func put<R: Record>(_ record: R) throws {
        let place = RecordPlace(kind: R.kind, id: record.recordID)
        change(try draft(place) { bytes in try R(stored: bytes) }, to: record)
    }

    /// Adds a record of which there is none yet, as the caller knows: nobody looks. Of a kind without keys one that is there all
    /// the same is replaced.
    package func add<R: Record>(_ record: R) throws {
        try check()
        let place = RecordPlace(kind: R.kind, id: record.recordID)
        change(buffer.drafts[place] ?? keep(Draft(place, nil)), to: record)
    }

    /// Removes the record, if there is one.
    package func remove<R: Record>(_ type: R.Type, _ id: String) throws {
        let draft = try draft(RecordPlace(kind: R.kind, id: id)) { bytes in try R(stored: bytes) }
        if draft.current != nil { change(draft, to: nil) }
    }

    private func change(_ draft: Draft, to record: (any Record)?) {
        if draft.current == nil {
            draft.isAdded = true
            if draft.isWaiting { buffer.waiting.removeAll { $0 === draft } }
            draft.isWaiting = false
        }
        draft.current = record
        if !draft.isWaiting { buffer.waiting.append(draft) }
        draft.isWaiting = true
    }

    /// What the transaction knows of a record; it is read when it was not.
    private func draft(_ place: RecordPlace, _ read: ([UInt8]) throws -> any Record) throws -> Draft {
        try check()
        return try buffer.drafts[place] ?? keep(Draft(place, super.find(place, read)))
    }

    private func keep(_ draft: Draft) -> Draft {
        buffer.drafts[draft.place] = draft
        return draft
    }

    /// As this write has it: what it changed before is seen.
    override func find(_ place: RecordPlace, _ read: ([UInt8]) throws -> any Record) throws -> (any Record)? {
        try draft(place, read).current
    }

    override func find(
        _ kind: String,
        _ key: RecordKey?,
        _ read: ([UInt8]) throws -> any Record
    ) throws -> [any Record] {
        try writeMoved(kind, key)
        var found: [any Record] = []
        for record in try super.find(kind, key, read) {
            let place = RecordPlace(kind: kind, id: record.recordID)
            let draft = buffer.drafts[place] ?? keep(Draft(place, record))
            if !draft.isAdded, draft.hasKey(key), let current = draft.current { found.append(current) }
        }
        for draft in buffer.waiting where draft.place.kind == kind {
            if draft.isAdded, draft.hasKey(key), let current = draft.current { found.append(current) }
        }
        return found
    }

    /// Whether this write sees a record with this key.
    package override func hasRecords(kind: String, key: RecordKey) throws -> Bool {
        // Without its type a record cannot be told from those of the store.
        if buffer.waiting.contains(where: { $0.place.kind == kind }) { try flush() }
        return try super.hasRecords(kind: kind, key: key)
    }

    /// What this write has put in its place is among them.
    package override func records<R: Record>(_ type: R.Type, after id: String?, limit: Int) throws -> [R] {
        if buffer.waiting.contains(where: { $0.place.kind == R.kind }) { try flush() }
        return try super.records(type, after: id, limit: limit)
    }

    /// Where a record stands among others whose key it was given, only the store knows.
    private func writeMoved(_ kind: String, _ key: RecordKey?) throws {
        guard let key else { return }
        let isMoved = buffer.waiting.contains { draft in
            draft.place.kind == kind && !draft.isAdded && draft.hasKey(key) && draft.stored?.has(key) == false
        }
        if isMoved { try flush() }
    }

    /// Sets the owner's number, replacing the one before.
    package func setNumber(_ number: String, of owner: VaultOwner) throws {
        try touch().setNumber(number, of: owner)
    }

    /// Removes the number of a card or token, if it has one.
    package func removeNumber(of owner: VaultOwner) throws { try touch().setNumber(nil, of: owner) }

    /// A whole world, with what this write has changed in it.
    package override func everything(of tenant: TenantName) throws -> StoredWorld? {
        if tenant == self.tenant { try flush() }
        return try super.everything(of: tenant)
    }

    /// The bytes of a world, with what this write has changed in it.
    package override func size(of tenant: TenantName) throws -> Int {
        if tenant == self.tenant { try flush() }
        return try super.size(of: tenant)
    }

    /// Removes every record and number of the tenant; its snapshots stay.
    package func removeEverything() throws { try replaceEverything(nil) }

    /// Replaces every record and number of the tenant; its snapshots stay.
    package func replaceEverything(with world: StoredWorld) throws { try replaceEverything(world) }

    private func replaceEverything(_ world: StoredWorld?) throws {
        try touch().replaceWorld(with: world)
        buffer.drafts = [:]
        buffer.waiting = []
        buffer.written = []
        buffer.isReplaced = true
        buffer.isRemoved = world == nil
        version = nil
    }

    /// Keeps a world as a snapshot of this tenant.
    package func keepSnapshot(_ id: String, at time: Instant, _ world: StoredWorld) throws -> Snapshot {
        try touch().keepSnapshot(id, at: time, world)
    }

    /// False when there is none.
    package func removeSnapshot(_ id: String) throws -> Bool { try touch().removeSnapshot(id) }

    /// Calls `body`; when it throws, undoes what it changed and rethrows, so that the transaction can go on.
    package func attempt<Value>(_ body: () throws -> Value) throws -> Value {
        try check()
        let (buffer, version) = (buffer.copy, version)
        do {
            return try writer.attempt(body)
        } catch {
            (self.buffer, self.version) = (buffer, version)
            throw error
        }
    }

    /// The store, which is about to be changed.
    @discardableResult
    func touch() throws -> any StoreWriter {
        try check()
        buffer.isTouched = true
        return writer
    }

    /// Writes what has changed; gives what that did to the world, nil when nothing was written.
    func finish() throws -> WorldChange? {
        try flush()
        guard buffer.isTouched else { return nil }
        // Whoever comes to a world that another process wrote begins an epoch.
        let epoch = cache.epoch(tenant) ?? before.map { $0.epoch + 1 } ?? 0
        let stamp = WorldStamp(version: cache.nextVersion(after: before?.version), epoch: epoch)
        if !buffer.isRemoved { try writer.setStamp(stamp) }
        return WorldChange(
            from: before?.version,
            stamp: stamp,
            isReplaced: buffer.isReplaced,
            isRemoved: buffer.isRemoved,
            records: buffer.written
        )
    }

    private func flush() throws {
        for draft in buffer.waiting {
            if let change = try write(draft) {
                buffer.written.append(change)
                // What the store has now is of no version yet.
                version = nil
            }
            draft.stored = draft.current
            draft.isWaiting = false
            draft.isAdded = false
        }
        buffer.waiting.removeAll(keepingCapacity: true)
    }

    private func write(_ draft: Draft) throws -> RecordChange? {
        let (place, stored, current) = (draft.place, draft.stored, draft.current)
        let isMoved = draft.isAdded && stored != nil && current != nil
        if stored != nil, isMoved || current == nil {
            try touch().remove(kind: place.kind, id: place.id)
        } else if let stored, let current, stored.isSame(as: current) {
            return nil
        }
        var change = RecordChange(place: place, after: current, isMoved: isMoved, hadKeys: stored?.keys)
        if let current {
            let document = current.document.bytes
            change.bytes = document.count
            change.keys = current.keys
            buffer.isRemoved = false
            let row = StoredWorld.Row(kind: place.kind, id: place.id, keys: change.keys, document: document)
            try touch().put(row, over: isMoved ? nil : change.hadKeys)
        } else if stored == nil {
            return nil
        }
        return change
    }
}

extension Record {
    fileprivate func isSame(as other: any Record) -> Bool { (other as? Self) == self }

    /// Whether a look-up by the key finds the record; by no key it finds every one of its kind.
    fileprivate func has(_ key: RecordKey?) -> Bool { key.map(keys.contains) ?? true }
}

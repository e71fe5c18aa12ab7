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
        var waiting: [RecordPlace] = []
        var written: [RecordChange] = []
        var isTouched = false
        var isReplaced = false
        var isRemoved = false
    }

    /// A record that the transaction read or changed.
    private struct Draft {
        /// As the store has it.
        var stored: (any Record)?
        var current: (any Record)?
        var isWaiting = false

        /// It goes behind all others, because it is new or was removed in between.
        var isAdded = false
    }

    init(_ cache: RecordCache, _ tenant: TenantName, _ writer: any StoreWriter) throws {
        self.writer = writer
        before = try writer.stamp()
        super.init(cache, tenant, writer, at: before?.version)
    }

    /// Adds the record, or replaces the one with its id, which keeps its place in the order of creation.
    package func put<R: Record>(_ record: R) throws {
        let place = RecordPlace(kind: R.kind, id: record.recordID)
        var draft = try draft(R.self, place)
        if draft.current == nil {
            draft.isAdded = true
            if draft.isWaiting { buffer.waiting.removeAll { $0 == place } }
            draft.isWaiting = false
        }
        draft.current = record
        note(&draft, place)
    }

    /// Removes the record, if there is one.
    package func remove<R: Record>(_ type: R.Type, _ id: String) throws {
        let place = RecordPlace(kind: R.kind, id: id)
        var draft = try draft(R.self, place)
        if draft.current == nil { return }
        draft.current = nil
        note(&draft, place)
    }

    private func note(_ draft: inout Draft, _ place: RecordPlace) {
        if !draft.isWaiting { buffer.waiting.append(place) }
        draft.isWaiting = true
        buffer.drafts[place] = draft
    }

    /// What the transaction knows of a record; it is read when it was not.
    private func draft<R: Record>(_ type: R.Type, _ place: RecordPlace) throws -> Draft {
        try check()
        if let draft = buffer.drafts[place] { return draft }
        let record = try super.record(type, place.id)
        let draft = Draft(stored: record, current: record)
        buffer.drafts[place] = draft
        return draft
    }

    /// As this write has it: what it changed before is seen.
    package override func record<R: Record>(_ type: R.Type, _ id: String) throws -> R? {
        try draft(type, RecordPlace(kind: R.kind, id: id)).current as? R
    }

    override func list<R: Record>(_ type: R.Type, _ key: RecordKey?) throws -> [R] {
        try writeMoved(R.kind, key)
        var found: [R] = []
        for record in try super.list(type, key) {
            let place = RecordPlace(kind: R.kind, id: record.recordID)
            guard let draft = buffer.drafts[place] else {
                buffer.drafts[place] = Draft(stored: record, current: record)
                found.append(record)
                continue
            }
            guard !draft.isAdded, let current = draft.current as? R, current.has(key) else { continue }
            found.append(current)
        }
        for place in buffer.waiting where place.kind == R.kind {
            guard let draft = buffer.drafts[place], draft.isAdded, let current = draft.current as? R, current.has(key)
            else { continue }
            found.append(current)
        }
        return found
    }

    /// Whether this write sees a record with this key.
    package override func hasRecords(kind: String, key: RecordKey) throws -> Bool {
        // Without its type a record cannot be told from those of the store.
        if buffer.waiting.contains(where: { $0.kind == kind }) { try flush() }
        return try super.hasRecords(kind: kind, key: key)
    }

    /// Where a record stands among others whose key it was given, only the store knows.
    private func writeMoved(_ kind: String, _ key: RecordKey?) throws {
        guard let key else { return }
        let isMoved = buffer.waiting.contains { place in
            guard place.kind == kind, let draft = buffer.drafts[place], !draft.isAdded else { return false }
            return draft.current?.has(key) == true && draft.stored?.has(key) == false
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
        let (buffer, version) = (buffer, version)
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
        for place in buffer.waiting {
            guard let draft = buffer.drafts[place] else { continue }
            if let change = try write(draft, place) {
                buffer.written.append(change)
                // What the store has now is of no version yet.
                version = nil
            }
            buffer.drafts[place] = Draft(stored: draft.current, current: draft.current)
        }
        buffer.waiting.removeAll(keepingCapacity: true)
    }

    private func write(_ draft: Draft, _ place: RecordPlace) throws -> RecordChange? {
        var bytes = 0
        let isMoved = draft.isAdded && draft.stored != nil && draft.current != nil
        if draft.stored != nil, isMoved || draft.current == nil {
            try touch().remove(kind: place.kind, id: place.id)
        } else if let stored = draft.stored, let current = draft.current, stored.isSame(as: current) {
            return nil
        }
        if let current = draft.current {
            let document = current.document.bytes
            bytes = document.count
            buffer.isRemoved = false
            let row = StoredWorld.Row(kind: place.kind, id: place.id, keys: current.keys, document: document)
            try touch().put(row, over: isMoved ? nil : draft.stored.map { $0.keys })
        } else if draft.stored == nil {
            return nil
        }
        return RecordChange(place: place, before: draft.stored, after: draft.current, isMoved: isMoved, bytes: bytes)
    }
}

extension Record {
    fileprivate func isSame(as other: any Record) -> Bool { (other as? Self) == self }

    /// Whether a look-up by the key finds the record; by no key it finds every one of its kind.
    fileprivate func has(_ key: RecordKey?) -> Bool { key.map(keys.contains) ?? true }
}

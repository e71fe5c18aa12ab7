import Core
import Wire

/// A call that may change its tenant. Lives on the store thread, between two savepoints of a group.
///
/// Once SQLite has refused a change the whole call fails, also when its closure goes on: SQLite may have undone more
/// than that change, and nothing may be written outside the group.
final class WriteTransaction: ReadTransaction, StoreWriter {
    private var fault: StoreFault?
    /// Numbers were removed that the log may still hold.
    private(set) var hasRemovedNumbers = false

    /// Ends the call and gives the fault it failed with, if SQLite refused a change.
    func end() -> StoreFault? {
        invalidate()
        return fault
    }

    override func current() throws(StoreFault) -> Session {
        if let fault { throw fault }
        let session = try super.current()
        // A read that fails may end the transaction, too. What followed would be written at once and alone.
        if session.database.isOutsideTransaction { fault = .transactionLost }
        if let fault { throw fault }
        return session
    }

    func put(kind: String, id: String, keys: [RecordKey], document: JSON) throws {
        try change { session throws(StoreFault) in
            let bytes = document.bytes
            let ordinal = try session.statements.putRecord.first(tenant, kind, id, UTF8Text(bytes)) { row in
                row.integer(0)
            }
            guard let ordinal else { throw StoreFault(reason: .failed, message: "A record got no place.") }
            session.cache.set(ordinal, document, bytes: bytes.count)
            try replaceKeys(of: ordinal, kind: kind, with: Set(keys), session.statements)
        }
    }

    func remove(kind: String, id: String) throws {
        try change { session throws(StoreFault) in
            let ordinal = try session.statements.removeRecord.first(tenant, kind, id) { row in
                row.integer(0)
            }
            if let ordinal { session.cache.remove(ordinal) }
        }
    }

    func setNumber(_ number: String, of owner: VaultOwner) throws {
        try change { session throws(StoreFault) in
            let lookup = Blob(session.lookup(number))
            try session.statements.putNumber.run(tenant, owner.kind, owner.id, number, lookup)
        }
    }

    func removeNumber(of owner: VaultOwner) throws {
        try change { session throws(StoreFault) in
            try session.statements.removeNumber.run(tenant, owner.kind, owner.id)
        }
    }

    func removeEverything() throws {
        hasRemovedNumbers = true
        try change { session throws(StoreFault) in
            // Keys first: each record's own removal then finds none left to follow it.
            try session.statements.removeAllKeys.run(tenant)
            let ordinals = try session.statements.removeAllRecords.all(tenant) { row in row.integer(0) }
            for ordinal in ordinals { session.cache.remove(ordinal) }
            try session.statements.removeAllNumbers.run(tenant)
        }
    }

    func replaceEverything(with world: StoredWorld) throws {
        try removeEverything()
        try change { session throws(StoreFault) in
            for row in world.rows {
                let ordinal = try session.statements.putRecord.first(tenant, row.kind, row.id, UTF8Text(row.document)) {
                    result in result.integer(0)
                }
                guard let ordinal else { throw StoreFault(reason: .failed, message: "A record got no place.") }
                // An ordinal may have been another record's.
                session.cache.remove(ordinal)
                try replaceKeys(of: ordinal, kind: row.kind, with: Set(row.keys), session.statements)
            }
            try put(world.numbers, of: tenant, session)
        }
    }

    func keepSnapshot(_ id: String, at time: Instant, _ world: StoredWorld) throws -> Snapshot {
        let content = SnapshotContent.encode(world.rows)
        let snapshot = Snapshot(id: id, at: time, records: world.rows.count, bytes: content.count)
        try change { session throws(StoreFault) in
            let (records, bytes) = (Int64(snapshot.records), Int64(snapshot.bytes))
            try session.statements.putSnapshot.run(tenant, id, time.milliseconds, records, bytes, Blob(content))
            try put(world.numbers, of: SnapshotContent.vaultTenant(tenant, id), session)
        }
        return snapshot
    }

    func removeSnapshot(_ id: String) throws -> Bool {
        hasRemovedNumbers = true
        var isRemoved = false
        try change { session throws(StoreFault) in
            let ordinal = try session.statements.removeSnapshot.first(tenant, id) { row in row.integer(0) }
            isRemoved = ordinal != nil
            try session.statements.removeAllNumbers.run(SnapshotContent.vaultTenant(tenant, id))
        }
        return isRemoved
    }

    private func put(_ numbers: [StoredWorld.Number], of tenant: String, _ session: Session) throws(StoreFault) {
        for number in numbers {
            let lookup = Blob(session.lookup(number.digits))
            try session.statements.putNumber.run(tenant, number.owner.kind, number.owner.id, number.digits, lookup)
        }
    }

    func attempt<Value>(_ body: () throws -> Value) throws -> Value {
        try change { session throws(StoreFault) in try session.statements.beginAttempt.run() }
        do {
            let value = try body()
            try change { session throws(StoreFault) in try session.statements.keepAttempt.run() }
            return value
        } catch {
            try change { session throws(StoreFault) in
                session.cache.undo()
                try session.statements.undoAttempt.run()
                try session.statements.keepAttempt.run()
            }
            throw error
        }
    }

    /// Keys that stay are not touched: most changes leave a record's keys as they are.
    private func replaceKeys(
        of ordinal: Int64,
        kind: String,
        with keys: Set<RecordKey>,
        _ statements: Statements
    ) throws(StoreFault) {
        let present = try statements.keysOfRecord.all(ordinal) { row in RecordKey(row.text(0), row.text(1)) }
        if present.count == keys.count, keys.isSuperset(of: present) { return }
        if !present.isEmpty { try statements.removeKeys.run(ordinal) }
        for key in keys {
            try statements.addKey.run(tenant, kind, key.name, key.value, ordinal)
        }
    }

    /// Runs a change and remembers SQLite's refusal.
    private func change(_ body: (Session) throws(StoreFault) -> Void) throws(StoreFault) {
        let session = try current()
        do {
            try body(session)
        } catch {
            fault = error
            throw error
        }
    }
}

extension StoreFault {
    /// SQLite undid the transaction by itself, after a failure that the closure did not pass on.
    static let transactionLost = StoreFault(reason: .failed, message: "SQLite ended the transaction after a failure.")
}

import Core
import Wire

/// A call that may change its tenant. Lives on the store thread, in a group, with a savepoint of its own.
///
/// Once SQLite has refused a change the whole call fails, also when its closure goes on: SQLite may have undone more
/// than that change, and nothing may be written outside the group.
final class WriteTransaction: ReadTransaction, StoreWriter {
    private var fault: StoreFault?
    /// A savepoint stands before the first change.
    private(set) var isBegun = false
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

    func setStamp(_ stamp: WorldStamp) throws {
        try change { session throws(StoreFault) in
            try session.statements.putStamp.run(tenant, stamp.version, stamp.epoch)
        }
    }

    func put(_ row: StoredWorld.Row, over keys: [RecordKey]?) throws {
        try change { session throws(StoreFault) in
            guard let keys else { return try add(row, session) }
            let statements = session.statements
            try statements.replaceRecord.run(UTF8Text(row.document), tenant, row.kind, row.id)
            if row.keys == keys { return }
            let (before, after) = (Set(keys), Set(row.keys))
            for key in before where !after.contains(key) {
                try statements.removeKey.run(tenant, row.kind, key.name, key.value, row.id)
            }
            for key in after where !before.contains(key) {
                try statements.addKeyOfRecord.run(tenant, row.kind, key.name, key.value, row.id)
            }
        }
    }

    private func add(_ row: StoredWorld.Row, _ session: Session) throws(StoreFault) {
        try session.statements.addRecord.run(tenant, row.kind, row.id, UTF8Text(row.document))
        if row.keys.isEmpty { return }
        let ordinal = session.database.lastInsertedRow
        for key in Set(row.keys) {
            try session.statements.addKey.run(tenant, row.kind, key.name, key.value, ordinal)
        }
    }

    func remove(kind: String, id: String) throws {
        try change { session throws(StoreFault) in try session.statements.removeRecord.run(tenant, kind, id) }
    }

    func setNumber(_ number: String?, of owner: VaultOwner) throws {
        try change { session throws(StoreFault) in
            guard let number else { return try session.statements.removeNumber.run(tenant, owner.kind, owner.id) }
            let lookup = Blob(session.lookup(number))
            try session.statements.putNumber.run(tenant, owner.kind, owner.id, number, lookup)
        }
    }

    func replaceWorld(with world: StoredWorld?) throws {
        hasRemovedNumbers = true
        try change { session throws(StoreFault) in
            // Keys first: each record's own removal then finds none left to follow it.
            try session.statements.removeAllKeys.run(tenant)
            try session.statements.removeAllRecords.run(tenant)
            try session.statements.removeAllNumbers.run(tenant)
            guard let world else { return try session.statements.removeStamp.run(tenant) }
            for row in world.rows { try add(row, session) }
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
                try session.statements.undoAttempt.run()
                try session.statements.keepAttempt.run()
            }
            throw error
        }
    }

    /// Runs a change and remembers SQLite's refusal.
    private func change(_ body: (Session) throws(StoreFault) -> Void) throws(StoreFault) {
        let session = try current()
        do {
            if !isBegun {
                try session.statements.beginWrite.run()
                isBegun = true
            }
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

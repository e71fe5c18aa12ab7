import Core
import Wire

/// A call that may change its tenant. Lives on the store thread, in a group.
///
/// What it changes is kept until the group ends, so that nothing is to be undone when its closure throws. It is told to SQLite
/// before that, behind a savepoint of its own, where SQLite must answer what the change matters to.
///
/// Once SQLite has refused a change the whole call fails, also when its closure goes on: SQLite may have undone more
/// than that change, and nothing may be written outside the group.
final class WriteTransaction: ReadTransaction, StoreWriter {
    private var fault: StoreFault?
    /// What SQLite has not been told of; empty once the savepoint stands. A handful, mostly.
    private var own: [PendingChanges.Change] = []
    private var ownStamp: WorldStamp?
    private let isBuffered: Bool
    /// A savepoint stands before the first change.
    private(set) var isBegun = false
    /// Numbers were removed that the log may still hold.
    private(set) var hasRemovedNumbers = false

    /// - Parameter isBuffered: whether changes are kept; else each is told to SQLite at once.
    init(_ session: Session, _ tenant: TenantName, isBuffered: Bool) {
        self.isBuffered = isBuffered
        super.init(session, tenant)
    }

    /// Ends the call and gives the fault it failed with, if SQLite refused a change.
    ///
    /// - Parameter isKept: whether what SQLite was not told of becomes a change of the group.
    func end(isKept: Bool) -> StoreFault? {
        if isKept, let session = try? current() {
            for change in own { session.pending.add(change, of: tenant) }
            if let ownStamp { session.pending.setStamp(ownStamp, of: tenant) }
        }
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

    // MARK: Reading

    override func stamp() throws -> WorldStamp? {
        let session = try current()
        return try ownStamp ?? session.pending.stamp(of: tenant) ?? super.stamp()
    }

    override func document(kind: String, id: String) throws -> [UInt8]? {
        let session = try current()
        for change in own.reversed() {
            switch change {
            case .put(let row, _): if row.id == id, row.kind == kind { return row.document }
            case .remove(kind, id): return nil
            default: break
            }
        }
        if let pending = session.pending.document(tenant, kind: kind, id: id) { return pending }
        return try super.document(kind: kind, id: id)
    }

    override func documents(kind: String, key: RecordKey?) throws -> [StoredDocument] {
        try tell(before: .kind(kind))
        return try super.documents(kind: kind, key: key)
    }

    override func documents(kind: String, after id: String?, limit: Int) throws -> [StoredDocument] {
        try tell(before: .kind(kind))
        return try super.documents(kind: kind, after: id, limit: limit)
    }

    override func number(of owner: VaultOwner) throws -> String? {
        let session = try current()
        for change in own.reversed() {
            if case .number(let digits, owner) = change { return digits }
        }
        if let pending = session.pending.number(tenant, of: owner) { return pending }
        return try super.number(of: owner)
    }

    override func owners(ofNumber number: String) throws -> [VaultOwner] {
        let session = try current()
        let owners = try super.owners(ofNumber: number)
        // Most numbers that others were given are other ones.
        let matters = { (change: PendingChanges.Change) in
            if case .number(let digits, let owner) = change {
                digits == number || owners.contains(owner)
            } else {
                false
            }
        }
        guard own.contains(where: matters) || session.pending.changes.contains(where: { matters($0.change) }) else {
            return owners
        }
        try tell(before: .numbers)
        return try super.owners(ofNumber: number)
    }

    override func world(of tenant: TenantName) throws -> StoredWorld? {
        try tell(before: .everything)
        return try super.world(of: tenant)
    }

    override func size(of tenant: TenantName) throws -> Int {
        try tell(before: .everything)
        return try super.size(of: tenant)
    }

    override func tenants() throws -> [TenantName] {
        try tell(before: .everything)
        return try super.tenants()
    }

    override func tenants(holdingCredential digest: String) throws -> [TenantName] {
        try tell(before: .everything)
        return try super.tenants(holdingCredential: digest)
    }

    /// Tells SQLite of what matters to the statement that comes next, with all that came before it.
    private func tell(before question: PendingChanges.Question) throws {
        let session = try current()
        if own.contains(where: { $0.matters(to: question) }) { return try change { _ in } }
        if session.pending.matters(to: question) { try note { () throws(StoreFault) in try session.flush() } }
    }

    // MARK: Changing

    func setStamp(_ stamp: WorldStamp) throws {
        _ = try current()
        if isHeld {
            ownStamp = stamp
            return
        }
        try change { session throws(StoreFault) in try session.setStamp(stamp, of: tenant) }
    }

    func put(_ row: StoredWorld.Row, over keys: [RecordKey]?) throws { try make(.put(row, over: keys)) }
    func remove(kind: String, id: String) throws { try make(.remove(kind: kind, id: id)) }
    func setNumber(_ number: String?, of owner: VaultOwner) throws { try make(.number(number, owner)) }

    private func make(_ new: PendingChanges.Change) throws {
        _ = try current()
        if isHeld { return own.append(new) }
        try change { session throws(StoreFault) in try session.apply(new, of: tenant) }
    }

    private var isHeld: Bool { isBuffered && !isBegun }

    func replaceWorld(with world: StoredWorld?) throws {
        hasRemovedNumbers = true
        try change { session throws(StoreFault) in
            // Keys first: each record's own removal then finds none left to follow it.
            try session.statements.removeAllKeys.run(tenant)
            try session.statements.removeAllRecords.run(tenant)
            try session.statements.removeAllNumbers.run(tenant)
            guard let world else { return try session.statements.removeStamp.run(tenant) }
            for row in world.rows { try session.add(row, of: tenant) }
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
        for number in numbers { try session.setNumber(number.digits, of: number.owner, of: tenant) }
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

    /// Tells SQLite of a change, and before it of all that was kept.
    private func change(_ body: (Session) throws(StoreFault) -> Void) throws(StoreFault) {
        let session = try current()
        try note { () throws(StoreFault) in
            if !isBegun {
                try session.flush()
                try session.statements.beginWrite.run()
                isBegun = true
                for change in own { try session.apply(change, of: tenant) }
                own = []
                if let ownStamp { try session.setStamp(ownStamp, of: tenant) }
                ownStamp = nil
            }
            try body(session)
        }
    }

    /// Remembers SQLite's refusal.
    private func note(_ body: () throws(StoreFault) -> Void) throws(StoreFault) {
        do {
            try body()
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

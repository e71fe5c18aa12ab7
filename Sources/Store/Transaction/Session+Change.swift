import Core

/// What a change does to SQLite's tables.
extension Session {
    /// Tells SQLite what the group has changed.
    func flush() throws(StoreFault) {
        for (tenant, change) in pending.changes { try apply(change, of: tenant) }
        for (tenant, stamp) in pending.stamps { try setStamp(stamp, of: tenant) }
        pending.removeAll()
    }

    func apply(_ change: PendingChanges.Change, of tenant: String) throws(StoreFault) {
        switch change {
        case .put(let row, over: nil): try add(row, of: tenant)
        case .put(let row, over: let keys?): try replace(row, over: keys, of: tenant)
        case .remove(let kind, let id): try statements.removeRecord.run(tenant, kind, id)
        case .number(nil, let owner): try statements.removeNumber.run(tenant, owner.kind, owner.id)
        case .number(let digits?, let owner): try setNumber(digits, of: owner, of: tenant)
        }
    }

    func setStamp(_ stamp: WorldStamp, of tenant: String) throws(StoreFault) {
        try statements.putStamp.run(tenant, stamp.version, stamp.epoch)
    }

    func setNumber(_ digits: String, of owner: VaultOwner, of tenant: String) throws(StoreFault) {
        try statements.putNumber.run(tenant, owner.kind, owner.id, digits, Blob(lookup(digits)))
    }

    func add(_ row: StoredWorld.Row, of tenant: String) throws(StoreFault) {
        let document = UTF8Text(row.document)
        if row.keys.isEmpty { return try statements.setRecord.run(tenant, row.kind, row.id, document) }
        try statements.addRecord.run(tenant, row.kind, row.id, document)
        let ordinal = database.lastInsertedRow
        for key in Set(row.keys) { try statements.addKey.run(tenant, row.kind, key.name, key.value, ordinal) }
    }

    private func replace(_ row: StoredWorld.Row, over keys: [RecordKey], of tenant: String) throws(StoreFault) {
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

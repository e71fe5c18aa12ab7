import Core

/// Every statement the store uses after it was opened, prepared once.
final class Statements {
    // Transactions.
    let beginReading, begin, commit, beginWrite, keepWrite, undoWrite, beginAttempt, keepAttempt, undoAttempt: Statement
    // Records.
    let document, documentsByKey, documentsOfKind, firstDocuments, nextDocuments: Statement
    let addRecord, setRecord, replaceRecord, removeRecord, addKey, addKeyOfRecord, removeKey: Statement
    // The vault.
    let number, owners, putNumber, removeNumber: Statement
    // A whole tenant.
    let stamp, putStamp, removeStamp, tenants, credentialHolders: Statement
    let removeAllKeys, removeAllRecords, removeAllNumbers, allRecords, allKeys, allNumbers, size: Statement
    // Snapshots.
    let snapshots, snapshotContent, putSnapshot, removeSnapshot: Statement

    init(_ database: Database) throws(StoreFault) {
        func prepare(_ sql: String) throws(StoreFault) -> Statement { try Statement(sql, on: database) }

        beginReading = try prepare("BEGIN DEFERRED")
        begin = try prepare("BEGIN IMMEDIATE")
        commit = try prepare("COMMIT")
        beginWrite = try prepare("SAVEPOINT write")
        keepWrite = try prepare("RELEASE write")
        undoWrite = try prepare("ROLLBACK TO write")
        // Attempts may be nested: each statement means the innermost savepoint of the name.
        beginAttempt = try prepare("SAVEPOINT attempt")
        keepAttempt = try prepare("RELEASE attempt")
        undoAttempt = try prepare("ROLLBACK TO attempt")

        document = try prepare("SELECT document FROM records WHERE tenant = ? AND kind = ? AND id = ?")
        // CROSS JOIN, so that the keys are walked and not the records.
        documentsByKey = try prepare(
            """
            SELECT records.id, records.document FROM record_keys AS keys
            CROSS JOIN records ON records.ordinal = keys.ordinal
            WHERE keys.tenant = ? AND keys.kind = ? AND keys.name = ? AND keys.value = ? ORDER BY keys.ordinal
            """
        )
        documentsOfKind = try prepare("SELECT id, document FROM records WHERE tenant = ? AND kind = ? ORDER BY ordinal")
        firstDocuments = try prepare(
            "SELECT id, document FROM records WHERE tenant = ? AND kind = ? ORDER BY ordinal LIMIT ?"
        )
        nextDocuments = try prepare(
            """
            SELECT id, document FROM records WHERE tenant = ?1 AND kind = ?2
                AND ordinal > (SELECT ordinal FROM records WHERE tenant = ?1 AND kind = ?2 AND id = ?3)
            ORDER BY ordinal LIMIT ?4
            """
        )
        addRecord = try prepare("INSERT INTO records (tenant, kind, id, document) VALUES (?, ?, ?, ?)")
        setRecord = try prepare(
            """
            INSERT INTO records (tenant, kind, id, document) VALUES (?, ?, ?, ?)
            ON CONFLICT (tenant, kind, id) DO UPDATE SET document = excluded.document
            """
        )
        replaceRecord = try prepare("UPDATE records SET document = ? WHERE tenant = ? AND kind = ? AND id = ?")
        removeRecord = try prepare("DELETE FROM records WHERE tenant = ? AND kind = ? AND id = ?")
        addKey = try prepare("INSERT INTO record_keys (tenant, kind, name, value, ordinal) VALUES (?, ?, ?, ?, ?)")
        addKeyOfRecord = try prepare(
            """
            INSERT INTO record_keys (tenant, kind, name, value, ordinal)
            SELECT ?1, ?2, ?3, ?4, ordinal FROM records WHERE tenant = ?1 AND kind = ?2 AND id = ?5
            """
        )
        removeKey = try prepare(
            """
            DELETE FROM record_keys WHERE tenant = ?1 AND kind = ?2 AND name = ?3 AND value = ?4
                AND ordinal = (SELECT ordinal FROM records WHERE tenant = ?1 AND kind = ?2 AND id = ?5)
            """
        )

        number = try prepare("SELECT number FROM vault WHERE tenant = ? AND owner_kind = ? AND owner_id = ?")
        owners = try prepare(
            "SELECT owner_kind, owner_id FROM vault WHERE tenant = ? AND lookup = ? ORDER BY ordinal"
        )
        putNumber = try prepare(
            """
            INSERT INTO vault (tenant, owner_kind, owner_id, number, lookup) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (tenant, owner_kind, owner_id)
            DO UPDATE SET number = excluded.number, lookup = excluded.lookup
            """
        )
        removeNumber = try prepare("DELETE FROM vault WHERE tenant = ? AND owner_kind = ? AND owner_id = ?")

        removeAllKeys = try prepare("DELETE FROM record_keys WHERE tenant = ?")
        removeAllRecords = try prepare("DELETE FROM records WHERE tenant = ?")
        removeAllNumbers = try prepare("DELETE FROM vault WHERE tenant = ?")

        allRecords = try prepare("SELECT ordinal, kind, id, document FROM records WHERE tenant = ? ORDER BY ordinal")
        size = try prepare("SELECT coalesce(sum(length(CAST(document AS BLOB))), 0) FROM records WHERE tenant = ?")
        allKeys = try prepare("SELECT ordinal, name, value FROM record_keys WHERE tenant = ?")
        allNumbers = try prepare(
            "SELECT owner_kind, owner_id, number FROM vault WHERE tenant = ? ORDER BY ordinal"
        )
        stamp = try prepare("SELECT version, epoch FROM worlds WHERE tenant = ?")
        putStamp = try prepare(
            """
            INSERT INTO worlds (tenant, version, epoch) VALUES (?, ?, ?)
            ON CONFLICT (tenant) DO UPDATE SET version = excluded.version, epoch = excluded.epoch
            """
        )
        removeStamp = try prepare("DELETE FROM worlds WHERE tenant = ?")
        tenants = try prepare("SELECT tenant FROM worlds ORDER BY tenant")
        // The same condition as the index has, or SQLite does not use it.
        credentialHolders = try prepare(
            "SELECT DISTINCT tenant FROM record_keys WHERE name = 'credential' AND value = ? ORDER BY tenant"
        )

        snapshots = try prepare("SELECT id, at, records, bytes FROM snapshots WHERE tenant = ? ORDER BY ordinal")
        snapshotContent = try prepare("SELECT content FROM snapshots WHERE tenant = ? AND id = ?")
        putSnapshot = try prepare(
            "INSERT INTO snapshots (tenant, id, at, records, bytes, content) VALUES (?, ?, ?, ?, ?, ?)"
        )
        removeSnapshot = try prepare("DELETE FROM snapshots WHERE tenant = ? AND id = ? RETURNING ordinal")
    }
}

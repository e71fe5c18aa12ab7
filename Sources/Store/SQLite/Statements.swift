import Core

/// Every statement the store uses after it was opened, prepared once.
final class Statements {
    // Transactions.
    let beginReading, begin, commit, beginWrite, keepWrite, undoWrite, beginAttempt, keepAttempt, undoAttempt: Statement
    // Records.
    let document, ordinal, ordinalsByKey, ordinalsOfKind, tenants: Statement
    let putRecord, removeRecord, keysOfRecord, addKey, removeKeys: Statement
    // The vault.
    let number, owners, putNumber, removeNumber: Statement
    // A whole tenant.
    let removeAllKeys, removeAllRecords, removeAllNumbers: Statement
    let allRecords, allKeys, allNumbers, tenantCount, credentialHolders: Statement
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

        document = try prepare("SELECT document FROM records WHERE ordinal = ?")
        // Ordinals come from the indexes alone; a record is read only when the cache does not have its document.
        ordinal = try prepare("SELECT ordinal FROM records WHERE tenant = ? AND kind = ? AND id = ?")
        ordinalsByKey = try prepare(
            """
            SELECT ordinal FROM record_keys WHERE tenant = ? AND kind = ? AND name = ? AND value = ? ORDER BY ordinal
            """
        )
        ordinalsOfKind = try prepare("SELECT ordinal FROM records WHERE tenant = ? AND kind = ? ORDER BY ordinal")
        // Steps from tenant to tenant on the index, where DISTINCT would read every entry of it.
        tenants = try prepare(
            """
            WITH RECURSIVE found (tenant) AS (
                SELECT min(tenant) FROM records
                UNION ALL
                SELECT (SELECT min(tenant) FROM records WHERE tenant > found.tenant) FROM found WHERE tenant IS NOT NULL
            )
            SELECT tenant FROM found WHERE tenant IS NOT NULL
            """
        )
        putRecord = try prepare(
            """
            INSERT INTO records (tenant, kind, id, document) VALUES (?, ?, ?, ?)
            ON CONFLICT (tenant, kind, id) DO UPDATE SET document = excluded.document RETURNING ordinal
            """
        )
        removeRecord = try prepare("DELETE FROM records WHERE tenant = ? AND kind = ? AND id = ? RETURNING ordinal")
        keysOfRecord = try prepare("SELECT name, value FROM record_keys WHERE ordinal = ?")
        addKey = try prepare("INSERT INTO record_keys (tenant, kind, name, value, ordinal) VALUES (?, ?, ?, ?, ?)")
        removeKeys = try prepare("DELETE FROM record_keys WHERE ordinal = ?")

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
        removeAllRecords = try prepare("DELETE FROM records WHERE tenant = ? RETURNING ordinal")
        removeAllNumbers = try prepare("DELETE FROM vault WHERE tenant = ?")

        allRecords = try prepare("SELECT ordinal, kind, id, document FROM records WHERE tenant = ? ORDER BY ordinal")
        allKeys = try prepare("SELECT ordinal, name, value FROM record_keys WHERE tenant = ?")
        allNumbers = try prepare(
            "SELECT owner_kind, owner_id, number FROM vault WHERE tenant = ? ORDER BY ordinal"
        )
        tenantCount = try prepare(
            """
            WITH RECURSIVE found (tenant) AS (
                SELECT min(tenant) FROM records
                UNION ALL
                SELECT (SELECT min(tenant) FROM records WHERE tenant > found.tenant) FROM found WHERE tenant IS NOT NULL
            )
            SELECT count(*) FROM found WHERE tenant IS NOT NULL
            """
        )
        // The same conditions as the two indexes have, or SQLite does not use them. `UNION` gives each tenant once.
        credentialHolders = try prepare(
            """
            SELECT tenant FROM records WHERE kind IN ('d1Session', 'd1Bearer') AND id = ?1
            UNION
            SELECT tenant FROM record_keys WHERE kind = 'issuer' AND name = 'clientCertificate' AND value = ?1
            ORDER BY tenant
            """
        )

        snapshots = try prepare("SELECT id, at, records, bytes FROM snapshots WHERE tenant = ? ORDER BY ordinal")
        snapshotContent = try prepare("SELECT content FROM snapshots WHERE tenant = ? AND id = ?")
        putSnapshot = try prepare(
            "INSERT INTO snapshots (tenant, id, at, records, bytes, content) VALUES (?, ?, ?, ?, ?, ?)"
        )
        removeSnapshot = try prepare("DELETE FROM snapshots WHERE tenant = ? AND id = ? RETURNING ordinal")
    }
}

import CSQLite
import Core

/// Owns one SQLite connection and closes it when released.
///
/// Used on one thread at a time: SQLite's own locking is off. Every ``Statement`` must be gone before it.
final class Database {
    let raw: OpaquePointer
    /// How long a statement waits for another process, in milliseconds.
    private(set) var patience: Int32 = 0

    /// Opens an existing file, or `:memory:`. Never creates a file.
    init(_ name: String) throws(StoreFault) {
        _ = Self.isConfigured
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(name, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let opened else {
            // SQLite hands out a connection even when it fails, so that its message can be read.
            let fault = StoreFault(code: code, connection: opened)
            sqlite3_close_v2(opened)
            throw fault
        }
        raw = opened
        sqlite3_extended_result_codes(opened, 1)
        // Without it a statement is planned again for each value that may fit the condition of a partial index.
        _ = shim_sqlite3_keep_plans(opened)
    }

    /// Statistics that nobody reads, under a lock at every allocation. Must come before SQLite is used at all.
    private static let isConfigured = shim_sqlite3_without_memory_statistics() == SQLITE_OK

    deinit { sqlite3_close_v2(raw) }

    /// True when no transaction is open: SQLite ends one by itself after some failures.
    var isOutsideTransaction: Bool { sqlite3_get_autocommit(raw) != 0 }

    /// The rowid of the row that was added last.
    var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(raw) }

    /// True when the file could only be opened for reading.
    var isReadOnly: Bool { sqlite3_db_readonly(raw, "main") == 1 }

    /// Lets statements wait for another process.
    func wait(milliseconds: Int32) {
        patience = milliseconds
        sqlite3_busy_timeout(raw, milliseconds)
    }

    /// Runs statements that give no rows, or whose rows do not matter.
    func execute(_ sql: String) throws(StoreFault) {
        let code = sqlite3_exec(raw, sql, nil, nil, nil)
        if code != SQLITE_OK { throw StoreFault(code: code, connection: raw) }
    }

    /// The number that a pragma or query gives.
    func integer(_ sql: String) throws(StoreFault) -> Int64 {
        let statement = try Statement(sql, on: self)
        return try statement.first { row in row.integer(0) } ?? 0
    }

    /// The text that a pragma or query gives.
    func text(_ sql: String) throws(StoreFault) -> String {
        let statement = try Statement(sql, on: self)
        return try statement.first { row in row.text(0) } ?? ""
    }

    /// Runs `body` in one transaction of its own.
    func transaction(_ body: () throws(StoreFault) -> Void) throws(StoreFault) {
        try execute("BEGIN IMMEDIATE")
        do {
            try body()
            try execute("COMMIT")
        } catch {
            rollBack()
            throw error
        }
    }

    /// Ends a transaction, if there is one, without its changes.
    func rollBack() {
        if !isOutsideTransaction { sqlite3_exec(raw, "ROLLBACK", nil, nil, nil) }
    }

    /// Moves everything from the write-ahead log into the file and empties the log. False when a reader prevents it;
    /// it is not waited for, because everyone who uses the store would wait too.
    func emptyLog() -> Bool {
        sqlite3_busy_timeout(raw, 0)
        defer { sqlite3_busy_timeout(raw, patience) }
        return sqlite3_wal_checkpoint_v2(raw, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil) == SQLITE_OK
    }
}

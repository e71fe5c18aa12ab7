import Core

/// An open store as the store thread owns it: connection, prepared statements, look-up key, lock.
///
/// Not `Sendable`: it is made, used and released on the store thread.
final class Session {
    // Released in this order at the end: statements before their connection, the lock last.
    let statements: Statements
    let database: Database
    private let lock: LockFile?
    private let lookupKey: [UInt8]
    private let lookupHash: @Sendable ([UInt8], [UInt8]) -> [UInt8]
    /// Numbers were removed that the log may still hold.
    var mustEmptyLog = false
    /// What the group of writes has changed so far and SQLite has not been told of; empty between groups.
    var pending = PendingChanges()

    init(_ configuration: StoreConfiguration) throws(StoreFault) {
        if let path = configuration.path {
            try SystemFile.createDirectory(of: path)
            // First of all: SystemFile.head(of:) needs the lock, and a server in use must not be migrated.
            lock = try LockFile(beside: path)
            try StoreFile.prepare(path)
        } else {
            lock = nil
        }
        database = try Database(configuration.path.map(StoreFile.name) ?? ":memory:")
        let migrator = Migrator(database: database, migrations: configuration.migrations)
        try database.configure(configuration, migrator)
        try migrator.migrate(path: configuration.path)
        statements = try Statements(database)
        lookupKey = try database.lookupKey()
        lookupHash = configuration.lookupHash
    }

    /// What the vault finds a number by.
    func lookup(_ number: String) -> [UInt8] { lookupHash(lookupKey, Array(number.utf8)) }

    /// Leaves everything in the file, so that it can be copied alone.
    func prepareToClose() {
        endReading()
        _ = database.emptyLog()
    }

    /// Opens the transaction that reads share. When that fails each statement gets one of its own, as SQLite does.
    func beginReading() {
        if database.isOutsideTransaction { try? statements.beginReading.run() }
    }

    /// Ends the transaction that reads share.
    func endReading() {
        if !database.isOutsideTransaction { try? statements.commit.run() }
    }
}

extension Database {
    /// Sets what holds for the connection, and refuses a store that cannot be used before anything is written to it.
    fileprivate func configure(_ configuration: StoreConfiguration, _ migrator: Migrator) throws(StoreFault) {
        wait(milliseconds: configuration.patience)
        // Temporary files would hold documents and numbers outside the store. The file itself stays open to readers:
        // looking into it with `sqlite3` while the server runs is worth a checkpoint that comes later.
        try execute(
            """
            PRAGMA temp_store = MEMORY;
            PRAGMA foreign_keys = ON;
            PRAGMA secure_delete = ON;
            PRAGMA synchronous = \(configuration.durability == .full ? "FULL" : "NORMAL");
            """
        )
        if isReadOnly { throw StoreFault(reason: .notWritable, message: "The store's file cannot be written.") }
        let version = try migrator.version()
        if let bytes = configuration.maximumBytes {
            try execute("PRAGMA max_page_count = \(bytes / Int(try integer("PRAGMA page_size")))")
        }
        guard configuration.path != nil else { return }
        // Before the log exists, so that the mark is in the file's header, where StoreFile looks for it.
        if version == 0 { try execute("PRAGMA application_id = \(StoreFile.applicationID)") }
        guard try text("PRAGMA journal_mode = WAL") == "wal" else {
            throw StoreFault(reason: .failed, message: "The file system does not allow a write-ahead log.")
        }
    }

    /// The secret behind the vault's look-up column, made once for each store.
    fileprivate func lookupKey() throws(StoreFault) -> [UInt8] {
        let read = try Statement("SELECT value FROM meta WHERE key = 'lookup-key'", on: self)
        if let key = try read.first(read: { row in row.bytes(0) }) { return key }
        let key = try SystemFile.randomBytes(32)
        let insert = try Statement("INSERT INTO meta (key, value) VALUES ('lookup-key', ?)", on: self)
        try insert.run(Blob(key))
        return key
    }
}

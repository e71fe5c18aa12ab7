import Core
import Glibc

/// Brings a store to the newest schema, or refuses it. Runs on the store thread, before the first call.
struct Migrator {
    let database: Database
    let migrations: [Migration]

    /// How many migrations the store has seen.
    ///
    /// - Throws: ``StoreFault/Reason/newerSchema`` when it has seen more than this server knows,
    ///   ``StoreFault/Reason/damaged`` when it is not a number that a server writes.
    func version() throws(StoreFault) -> Int {
        let version = Int(try database.integer("PRAGMA user_version"))
        guard version >= 0 else {
            throw StoreFault(reason: .damaged, message: "The store has the impossible schema \(version).")
        }
        guard version <= migrations.count else {
            throw StoreFault(
                reason: .newerSchema,
                message: "The store has schema \(version); this server knows up to \(migrations.count)."
            )
        }
        return version
    }

    /// Applies what is missing, each migration in a transaction of its own.
    ///
    /// - Parameter path: The store's file, which is copied to `<path>.before-<name>` first when it holds a schema; nil
    ///   for a store in memory.
    func migrate(path: String?) throws(StoreFault) {
        let version = try version()
        let missing = migrations[version...]
        if let path, version > 0, let next = missing.first { try backUp(to: "\(path).before-\(next.name)") }
        for (offset, migration) in missing.enumerated() {
            try database.transaction { () throws(StoreFault) in
                try database.execute(migration.sql)
                if let documents = migration.documents {
                    try DocumentMigrator(database: database, migration: documents).migrate()
                }
                try database.execute("PRAGMA user_version = \(version + offset + 1)")
            }
        }
    }

    /// Copies the whole store. The copy gets its name only when it is complete.
    private func backUp(to path: String) throws(StoreFault) {
        let partial = path + ".partial"
        unlink(partial)
        // SQLite fills an empty file that exists, and so its mode stays.
        try SystemFile.create(partial)
        let copy = try Statement("VACUUM INTO ?", on: database)
        try copy.run(partial)
        guard rename(partial, path) == 0 else { throw StoreFault(reason: .notWritable, systemCall: "rename", path) }
    }
}

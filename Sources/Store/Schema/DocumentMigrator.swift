import Core
import Wire

/// Runs a migration of documents over a store: over its records and over its snapshots, in the transaction that is open.
struct DocumentMigrator {
    let database: Database
    let migration: DocumentMigration

    /// How many records are held at once.
    private static let batch: Int64 = 256

    func migrate() throws(StoreFault) {
        try migrateRecords()
        try migrateSnapshots()
    }

    private struct Found {
        let ordinal: Int64
        let tenant: String
        let id: String
        let document: [UInt8]
    }

    private func migrateRecords() throws(StoreFault) {
        let select = try Statement(
            """
            SELECT ordinal, tenant, id, document FROM records
            WHERE ordinal > ? AND ordinal <= ? AND kind = ? ORDER BY ordinal LIMIT ?
            """,
            on: database
        )
        let rows = try RowWriter(database)
        // What is added on the way is not looked at.
        let last = try database.integer("SELECT coalesce(max(ordinal), 0) FROM records")
        var next: Int64 = 0
        while true {
            let found = try select.all(next, last, migration.kind, Self.batch) { row in
                Found(ordinal: row.integer(0), tenant: row.text(1), id: row.text(2), document: row.bytes(3))
            }
            guard let end = found.last else { return }
            next = end.ordinal
            for record in found {
                guard let document = try? JSON.parse(record.document, maximumDepth: .max, integers: .any) else {
                    continue
                }
                let entry = DocumentMigration.Entry(
                    kind: migration.kind,
                    id: record.id,
                    keys: try rows.keys(of: record.ordinal),
                    document: document
                )
                if let entries = migration.replacing(entry) {
                    try rows.replace(entry, of: record.tenant, record.ordinal, with: entries)
                }
            }
        }
    }

    private func migrateSnapshots() throws(StoreFault) {
        let list = try Statement("SELECT ordinal FROM snapshots ORDER BY ordinal", on: database)
        let select = try Statement("SELECT content FROM snapshots WHERE ordinal = ?", on: database)
        let update = try Statement(
            "UPDATE snapshots SET content = ?, records = ?, bytes = ? WHERE ordinal = ?",
            on: database
        )
        for ordinal in try list.all(read: { row in row.integer(0) }) {
            guard let content = try select.first(ordinal, read: { row in row.bytes(0) }),
                let rows = SnapshotContent.decode(content)
            else { continue }
            let migrated = rows.flatMap(migrated)
            let bytes = SnapshotContent.encode(migrated)
            try update.run(Blob(bytes), Int64(migrated.count), Int64(bytes.count), ordinal)
        }
    }

    private func migrated(_ row: StoredWorld.Row) -> [StoredWorld.Row] {
        guard row.kind == migration.kind,
            let document = try? JSON.parse(row.document, maximumDepth: .max, integers: .any)
        else { return [row] }
        let entry = DocumentMigration.Entry(kind: row.kind, id: row.id, keys: row.keys, document: document)
        return migration.replacing(entry)?.map { entry in
            StoredWorld.Row(kind: entry.kind, id: entry.id, keys: entry.keys, document: entry.document.bytes)
        } ?? [row]
    }
}

/// Writes records before the store's own statements are prepared. They are of the schema that the migration was made for.
private final class RowWriter {
    private let keysOfRecord, update, insert, remove, removeKeys, addKey: Statement

    init(_ database: Database) throws(StoreFault) {
        keysOfRecord = try Statement("SELECT name, value FROM record_keys WHERE ordinal = ?", on: database)
        update = try Statement("UPDATE records SET document = ? WHERE ordinal = ?", on: database)
        insert = try Statement(
            "INSERT INTO records (tenant, kind, id, document) VALUES (?, ?, ?, ?) RETURNING ordinal",
            on: database
        )
        remove = try Statement("DELETE FROM records WHERE ordinal = ?", on: database)
        removeKeys = try Statement("DELETE FROM record_keys WHERE ordinal = ?", on: database)
        addKey = try Statement(
            "INSERT INTO record_keys (tenant, kind, name, value, ordinal) VALUES (?, ?, ?, ?, ?)",
            on: database
        )
    }

    func keys(of ordinal: Int64) throws(StoreFault) -> [RecordKey] {
        try keysOfRecord.all(ordinal) { row in RecordKey(row.text(0), row.text(1)) }
    }

    /// The record keeps its place in the order of creation, when it stays at all; what is new comes at the end.
    func replace(
        _ entry: DocumentMigration.Entry,
        of tenant: String,
        _ ordinal: Int64,
        with entries: [DocumentMigration.Entry]
    ) throws(StoreFault) {
        try removeKeys.run(ordinal)
        if !entries.contains(where: { $0.kind == entry.kind && $0.id == entry.id }) { try remove.run(ordinal) }
        for new in entries {
            var place: Int64? = ordinal
            if new.kind == entry.kind, new.id == entry.id {
                try update.run(UTF8Text(new.document.bytes), ordinal)
            } else {
                place = try insert.first(tenant, new.kind, new.id, UTF8Text(new.document.bytes)) { row in
                    row.integer(0)
                }
            }
            guard let place else { continue }
            for key in new.keys { try addKey.run(tenant, new.kind, key.name, key.value, place) }
        }
    }
}

import CSQLite
import Core

/// Owns a prepared statement and finalizes it at the end of its life. Stays on the thread of its ``Database``.
///
/// Each use binds, steps to the end and leaves the statement reset and without values, ready for the next.
struct Statement: ~Copyable {
    private let raw: OpaquePointer

    init(_ sql: String, on database: Database) throws(StoreFault) {
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v3(database.raw, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let prepared else { throw StoreFault(code: code, connection: database.raw) }
        raw = prepared
    }

    deinit { sqlite3_finalize(raw) }

    /// Runs the statement and drops its rows.
    func run<each V: SQLValue>(_ values: repeat each V) throws(StoreFault) {
        defer { clear() }
        try bind(repeat each values)
        while try step() {}
    }

    /// Runs the statement to its end and reads the first row.
    func first<each V: SQLValue, Value>(
        _ values: repeat each V,
        read: (borrowing Row) throws(StoreFault) -> Value
    ) throws(StoreFault) -> Value? {
        defer { clear() }
        try bind(repeat each values)
        guard try step() else { return nil }
        let value = try read(Row(raw: raw))
        // A change with RETURNING has checked its foreign keys only when it has been stepped to the end.
        while try step() {}
        return value
    }

    /// Runs the statement and reads every row.
    func all<each V: SQLValue, Value>(
        _ values: repeat each V,
        read: (borrowing Row) throws(StoreFault) -> Value
    ) throws(StoreFault) -> [Value] {
        defer { clear() }
        try bind(repeat each values)
        var result: [Value] = []
        while try step() { result.append(try read(Row(raw: raw))) }
        return result
    }

    private func bind<each V: SQLValue>(_ values: repeat each V) throws(StoreFault) {
        var index: Int32 = 0
        for value in repeat each values {
            index += 1
            let code = value.bind(to: raw, at: index)
            if code != SQLITE_OK { throw StoreFault(code: code, connection: sqlite3_db_handle(raw)) }
        }
    }

    /// True when there is a row.
    private func step() throws(StoreFault) -> Bool {
        switch sqlite3_step(raw) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw StoreFault(code: code, connection: sqlite3_db_handle(raw))
        }
    }

    private func clear() {
        sqlite3_reset(raw)
        sqlite3_clear_bindings(raw)
    }
}

/// The row a statement stands on. Borrowed: it is gone with the statement's next step.
struct Row: ~Copyable {
    private let raw: OpaquePointer

    fileprivate init(raw: OpaquePointer) { self.raw = raw }

    /// A copy of a column's bytes; a text gives its UTF-8.
    func bytes(_ column: Int32) -> [UInt8] {
        guard let start = sqlite3_column_blob(raw, column) else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(raw, column))))
    }

    func text(_ column: Int32) -> String {
        guard let start = sqlite3_column_blob(raw, column) else { return "" }
        let bytes = UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(raw, column)))
        return String(decoding: bytes, as: UTF8.self)
    }

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(raw, column) }
}

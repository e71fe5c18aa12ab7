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
    func run(_ values: SQLValue...) throws(StoreFault) {
        defer { clear() }
        try bind(values)
        while try step() {}
    }

    /// Runs the statement to its end and reads the first row.
    func first<Value>(
        _ values: SQLValue...,
        read: (borrowing Row) throws(StoreFault) -> Value
    ) throws(StoreFault) -> Value? {
        defer { clear() }
        try bind(values)
        guard try step() else { return nil }
        let value = try read(Row(raw: raw))
        // A change with RETURNING has checked its foreign keys only when it has been stepped to the end.
        while try step() {}
        return value
    }

    /// Runs the statement and reads every row.
    func all<Value>(
        _ values: SQLValue...,
        read: (borrowing Row) throws(StoreFault) -> Value
    ) throws(StoreFault) -> [Value] {
        defer { clear() }
        try bind(values)
        var result: [Value] = []
        while try step() { result.append(try read(Row(raw: raw))) }
        return result
    }

    private func bind(_ values: [SQLValue]) throws(StoreFault) {
        for (offset, value) in values.enumerated() {
            let index = Int32(offset + 1)
            let code =
                switch value {
                case .text(var text): text.withUTF8 { bytes in bindText(bytes, at: index) }
                case .utf8(let bytes): bytes.withUnsafeBufferPointer { bytes in bindText(bytes, at: index) }
                case .blob(let bytes):
                    bytes.withUnsafeBytes { bytes in
                        shim_sqlite3_bind_blob(raw, index, bytes.baseAddress, Int32(bytes.count))
                    }
                case .integer(let number): sqlite3_bind_int64(raw, index, number)
                }
            if code != SQLITE_OK { throw StoreFault(code: code, connection: sqlite3_db_handle(raw)) }
        }
    }

    /// An empty text may have no address, which SQLite would take for NULL.
    private func bindText(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int32) -> Int32 {
        guard let base = bytes.baseAddress, !bytes.isEmpty else { return shim_sqlite3_bind_text(raw, index, "", 0) }
        return base.withMemoryRebound(to: CChar.self, capacity: bytes.count) { text in
            shim_sqlite3_bind_text(raw, index, text, Int32(bytes.count))
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

import CSQLite
import Core

extension StoreFault {
    /// Translates what SQLite reported. Its messages name tables and columns, never values.
    ///
    /// - Parameter connection: Borrowed, to read the message of the call that failed just before.
    init(code: Int32, connection: OpaquePointer?) {
        let detail =
            if let connection, let text = sqlite3_errmsg(connection) {
                String(cString: text)
            } else {
                sqlite3_errstr(code).map { text in String(cString: text) } ?? "unknown"
            }
        self.init(reason: Reason(code: code), message: "SQLite \(code): \(detail)")
    }
}

extension StoreFault.Reason {
    /// The reason behind a primary or extended result code.
    init(code: Int32) {
        switch code {
        case shim_SQLITE_IOERR_READ, shim_SQLITE_IOERR_SHORT_READ: self = .failed
        default:
            switch code & 0xFF {
            case SQLITE_FULL, SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_IOERR: self = .notWritable
            case SQLITE_BUSY: self = .inUse
            case SQLITE_CORRUPT, SQLITE_NOTADB: self = .damaged
            default: self = .failed
            }
        }
    }
}

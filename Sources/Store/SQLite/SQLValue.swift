import CSQLite

/// A value that can be bound to a statement's parameter. SQLite copies its bytes.
protocol SQLValue {
    /// Gives SQLite's result code.
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32
}

extension String: SQLValue {
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        var text = self
        return text.withUTF8 { bytes in bindText(bytes, to: statement, at: index) }
    }
}

extension Int64: SQLValue {
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 { sqlite3_bind_int64(statement, index, self) }
}

/// Bytes that are bound as a blob.
struct Blob: SQLValue {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        bytes.withUnsafeBytes { bytes in
            shim_sqlite3_bind_blob(statement, index, bytes.baseAddress, Int32(bytes.count))
        }
    }
}

/// Bytes that are UTF-8 already, bound as a text: a document.
struct UTF8Text: SQLValue {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        bytes.withUnsafeBufferPointer { bytes in bindText(bytes, to: statement, at: index) }
    }
}

/// An empty text may have no address, which SQLite would take for NULL.
private func bindText(_ bytes: UnsafeBufferPointer<UInt8>, to statement: OpaquePointer, at index: Int32) -> Int32 {
    guard let base = bytes.baseAddress, !bytes.isEmpty else { return shim_sqlite3_bind_text(statement, index, "", 0) }
    return base.withMemoryRebound(to: CChar.self, capacity: bytes.count) { text in
        shim_sqlite3_bind_text(statement, index, text, Int32(bytes.count))
    }
}

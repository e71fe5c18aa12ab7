import COpenSSL

/// The error queue of the current thread.
///
/// Cleared before a call and drained right after it, with no suspension between: the queue belongs to the thread, and
/// stale entries lie.
enum OpenSSLErrors {
    static func clear() { ERR_clear_error() }

    /// The texts in the queue, oldest first; the queue is empty afterwards.
    static func drain() -> [String] {
        var texts: [String] = []
        while texts.count < 16 {
            let code = ERR_get_error()
            if code == 0 { return texts }
            let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer -> String in
                ERR_error_string_n(code, buffer.baseAddress, buffer.count)
                return buffer.baseAddress.map { String(cString: $0) } ?? ""
            }
            texts.append(text)
        }
        ERR_clear_error()
        return texts
    }

    /// Runs one OpenSSL call that answers 1 for success.
    ///
    /// - Throws: ``CryptoError`` with the queue's texts for any other answer.
    static func check(
        _ operation: String,
        fileID: String = #fileID,
        line: Int = #line,
        _ call: () -> Int32
    ) throws(CryptoError) {
        ERR_clear_error()
        guard call() == 1 else { throw CryptoError(operation, fileID: fileID, line: line) }
    }

    /// Runs one OpenSSL call that answers a pointer the caller then owns.
    ///
    /// - Throws: ``CryptoError`` with the queue's texts for a null pointer.
    static func create<Pointer>(
        _ operation: String,
        fileID: String = #fileID,
        line: Int = #line,
        _ call: () -> Pointer?
    ) throws(CryptoError) -> Pointer {
        ERR_clear_error()
        guard let pointer = call() else { throw CryptoError(operation, fileID: fileID, line: line) }
        return pointer
    }
}

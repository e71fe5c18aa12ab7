internal import COpenSSL

/// OpenSSL's queue of errors, which belongs to the calling thread.
enum OpenSSLErrors {
    /// The first error in words; the queue is empty afterwards.
    static func drain() -> String {
        let code = ERR_get_error()
        ERR_clear_error()
        guard code != 0 else { return "unknown reason" }
        return ERR_reason_error_string(code).map { String(cString: $0) } ?? "error \(code)"
    }
}

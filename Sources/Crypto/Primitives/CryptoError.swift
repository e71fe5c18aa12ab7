/// OpenSSL refused something that should have worked: a fault of the machine or of the caller, never of a message.
///
/// Bad messages are a ``Checked`` value instead. The description carries no secret.
package struct CryptoError: Error, Sendable, CustomStringConvertible {
    /// What was being done, for example `EVP_PKEY_sign`.
    package let operation: String
    /// What OpenSSL's error queue said, oldest first.
    package let underlying: [String]
    /// File and line of the call.
    package let location: String

    init(_ operation: String, fileID: String = #fileID, line: Int = #line) {
        self.operation = operation
        underlying = OpenSSLErrors.drain()
        location = "\(fileID):\(line)"
    }

    /// Operation and OpenSSL's texts.
    package var description: String {
        underlying.isEmpty ? "\(operation) failed" : "\(operation) failed: \(underlying.joined(separator: "; "))"
    }
}

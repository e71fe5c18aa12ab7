import Wire

/// How a client certificate is named: the SHA-256 of its DER bytes, in 64 lower-case hexadecimal digits.
package enum CertificateFingerprint {
    /// Reads a fingerprint in either case, also with a colon between two bytes as `openssl x509 -fingerprint` prints it.
    ///
    /// - Returns: nil for any other text.
    package static func normalized(_ text: String) -> String? {
        var digits = text
        if text.utf8.contains(0x3A) {
            let bytes = text.utf8.split(separator: 0x3A, omittingEmptySubsequences: false)
            guard bytes.count == 32, bytes.allSatisfy({ $0.count == 2 }) else { return nil }
            digits = text.replacing(":", with: "")
        }
        guard digits.utf8.count == 64, let bytes = try? Hex.decode(digits) else { return nil }
        return Hex.encode(bytes)
    }

    /// The credential that leads from a certificate to the tenants that hold it. The prefix keeps it apart from the digests
    /// of bearers.
    package static func credential(_ fingerprint: String) -> String { "certificate:" + fingerprint }
}

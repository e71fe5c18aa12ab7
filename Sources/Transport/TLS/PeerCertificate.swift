internal import COpenSSL
internal import Web
internal import Wire

/// Reads the client's certificate from an `SSL` after the handshake. Loop thread only; borrows the `SSL`.
enum PeerCertificate {
    /// Certificate and verdict as a value; nil when the client showed none.
    static func read(_ ssl: OpaquePointer) -> TLSPeer? {
        guard let certificate = SSL_get1_peer_certificate(ssl) else { return nil }
        defer { X509_free(certificate) }
        let verdict = SSL_get_verify_result(ssl)
        let isVerified = verdict == Int(X509_V_OK)
        return TLSPeer(
            subject: subject(certificate),
            fingerprint: fingerprint(certificate),
            isVerified: isVerified,
            reason: isVerified ? nil : X509_verify_cert_error_string(verdict).map { String(cString: $0) }
        )
    }

    /// The subject of the certificate that the client has shown so far, also within a handshake that fails.
    static func shownSubject(_ ssl: OpaquePointer) -> String? {
        guard let certificate = SSL_get1_peer_certificate(ssl) else { return nil }
        defer { X509_free(certificate) }
        return subject(certificate)
    }

    /// SHA-256 in hexadecimal digits.
    private static func fingerprint(_ certificate: OpaquePointer) -> String {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        guard X509_digest(certificate, EVP_sha256(), &digest, &count) == 1 else { return "" }
        return Hex.encode(digest[..<Int(count)])
    }

    /// The subject in one line.
    private static func subject(_ certificate: OpaquePointer) -> String {
        guard let name = X509_get_subject_name(certificate), let memory = BIO_new(BIO_s_mem()) else { return "" }
        defer { BIO_free(memory) }
        X509_NAME_print_ex(memory, name, 0, rfc2253)
        var text = [UInt8](repeating: 0, count: 1_024)
        let count = BIO_read(memory, &text, Int32(text.count))
        return String(decoding: text[..<max(0, Int(count))], as: UTF8.self)
    }

    /// `XN_FLAG_RFC2253` without escaping UTF-8; its macro is not imported.
    private static let rfc2253: UInt = 0x0111_0313
}

internal import CLibevent
internal import COpenSSL

extension Channel {
    /// What broke the handshake off, as libevent and OpenSSL know it. Loop thread only; asks once, because libevent's list
    /// of errors is empty afterwards.
    func takeHandshakeFault(hasEnded: Bool) -> (problem: HandshakeFailure.Problem, reason: String) {
        let left = (problem: HandshakeFailure.Problem.left, reason: "the client ended the connection")
        guard let raw, ssl != nil, !hasEnded else { return left }
        var code: UInt = 0
        while case let next = bufferevent_get_openssl_error(raw), next != 0 {
            // libevent also writes down plain numbers, for ends that have nothing to do with TLS.
            if code == 0, (next >> 23) & 0xFF != 0 { code = next }
        }
        guard code != 0 else { return left }
        let text = ERR_reason_error_string(code).map { String(cString: $0) } ?? "error \(code)"
        // Numbers of other libraries mean other things.
        guard (code >> 23) & 0xFF == UInt(ERR_LIB_SSL) else { return (problem: .other, reason: text) }
        return (problem: Self.problem(ofServerReason: Int32(truncatingIfNeeded: code & 0x7F_FFFF)), reason: text)
    }

    static func problem(ofServerReason reason: Int32) -> HandshakeFailure.Problem {
        switch reason {
        case SSL_R_HTTP_REQUEST, SSL_R_HTTPS_PROXY_REQUEST, SSL_R_WRONG_VERSION_NUMBER, SSL_R_BAD_RECORD_TYPE: .notTLS
        case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_VERSION_TOO_LOW, SSL_R_VERSION_TOO_HIGH, SSL_R_UNKNOWN_PROTOCOL,
            SSL_R_INAPPROPRIATE_FALLBACK:
            .version
        case SSL_R_NO_SHARED_CIPHER, SSL_R_NO_SHARED_GROUPS, SSL_R_NO_SUITABLE_KEY_SHARE,
            SSL_R_NO_SHARED_SIGNATURE_ALGORITHMS,
            SSL_R_NO_SUITABLE_SIGNATURE_ALGORITHM:
            .cipher
        case SSL_R_BAD_SIGNATURE, SSL_R_CERTIFICATE_VERIFY_FAILED, SSL_R_WRONG_CERTIFICATE_TYPE,
            SSL_R_UNKNOWN_CERTIFICATE_TYPE, SSL_R_WRONG_SIGNATURE_TYPE, SSL_R_CERT_LENGTH_MISMATCH,
            SSL_R_EE_KEY_TOO_SMALL, SSL_R_CA_MD_TOO_WEAK:
            .certificate
        // The other side's alerts, of one byte (SSL_AD_REASON_OFFSET). Far above are OpenSSL's own failures.
        case 1_000..<1_256: .alert
        default: .other
        }
    }
}

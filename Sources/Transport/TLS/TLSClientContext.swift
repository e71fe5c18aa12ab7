internal import CLibevent
internal import COpenSSL
internal import Glibc
internal import Web

/// TLS of one client: the `SSL_CTX` that its connections share. Loop thread only, once made; owns and frees it.
final class TLSClientContext {
    private let raw: OpaquePointer

    /// Reads the files that are named. A client trusts nobody but its authority.
    init(_ configuration: HTTPClientConfiguration) throws(TransportFault) {
        ERR_clear_error()
        guard let raw = SSL_CTX_new(TLS_client_method()) else {
            throw .tls(file: "a client", reason: OpenSSLErrors.drain())
        }
        // From here `deinit` frees it, also when this initialiser throws.
        self.raw = raw
        SSL_CTX_ctrl(raw, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil)
        SSL_CTX_ctrl(raw, SSL_CTRL_MODE, Int(SSL_MODE_RELEASE_BUFFERS), nil)
        // SSL_OP_IGNORE_UNEXPECTED_EOF, whose cast is not imported: a server that just closes is a closed connection.
        SSL_CTX_set_options(raw, 1 << 7)
        SSL_CTX_set_verify(raw, SSL_VERIFY_PEER, nil)
        if let authority = configuration.authorityFile {
            guard SSL_CTX_load_verify_file(raw, authority) == 1 else {
                throw .tls(file: authority, reason: OpenSSLErrors.drain())
            }
        } else {
            SSL_CTX_set_default_verify_paths(raw)
        }
        guard let certificate = configuration.certificateFile else { return }
        guard SSL_CTX_use_certificate_chain_file(raw, certificate) == 1 else {
            throw .tls(file: certificate, reason: OpenSSLErrors.drain())
        }
        let key = configuration.privateKeyFile ?? certificate
        guard SSL_CTX_use_PrivateKey_file(raw, key, SSL_FILETYPE_PEM) == 1, SSL_CTX_check_private_key(raw) == 1 else {
            throw .tls(file: key, reason: OpenSSLErrors.drain())
        }
    }

    deinit { SSL_CTX_free(raw) }

    /// Takes the connected `descriptor` into a TLS connection that begins the handshake; closes it on failure. The
    /// server's certificate must be for `host`.
    func channel(_ descriptor: Int32, host: String, base: OpaquePointer) -> Channel? {
        ERR_clear_error()
        guard let ssl = SSL_new(raw) else {
            Glibc.close(descriptor)
            return nil
        }
        guard name(host, ssl) else {
            SSL_free(ssl)
            Glibc.close(descriptor)
            return nil
        }
        let bufferevent = bufferevent_openssl_socket_new(
            base,
            descriptor,
            ssl,
            BUFFEREVENT_SSL_CONNECTING,
            shim_BEV_OPT_CLOSE_ON_FREE
        )
        guard let bufferevent else {
            // With this option libevent has freed the `SSL`, but not the descriptor.
            Glibc.close(descriptor)
            return nil
        }
        return Channel(takingOwnershipOf: bufferevent, ssl: ssl)
    }

    /// Says who is called (only names travel, RFC 6066, section 3) and whose certificate is wanted. Borrows `ssl`.
    private func name(_ host: String, _ ssl: OpaquePointer) -> Bool {
        // False for anything but a numeric address.
        if X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host) == 1 { return true }
        ERR_clear_error()
        SSL_set_hostflags(ssl, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
        guard SSL_set1_host(ssl, host) == 1 else { return false }
        var name = Array(host.utf8CString)
        // SSL_set_tlsext_host_name, a macro; OpenSSL copies the name.
        return SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, Int(TLSEXT_NAMETYPE_host_name), &name) == 1
    }
}

extension Channel {
    /// What OpenSSL says about the end of this connection; nil when that had nothing to do with TLS. Asks once: libevent's
    /// list of errors is empty afterwards.
    func takeTLSFault(withinHandshake: Bool) -> HTTPCallFault? {
        guard let raw, let ssl else { return nil }
        var code: UInt = 0
        while case let next = bufferevent_get_openssl_error(raw), next != 0 {
            // libevent also writes down plain numbers, for ends that have nothing to do with TLS.
            let isOfTLS = (next >> 23) & 0xFF == UInt(ERR_LIB_SSL)
            if code == 0, isOfTLS { code = next }
        }
        let verdict = SSL_get_verify_result(ssl)
        if withinHandshake, verdict != Int(X509_V_OK) {
            let text = X509_verify_cert_error_string(verdict).map { String(cString: $0) }
            return .tls(Self.problem(ofVerdict: Int32(verdict)), reason: text ?? "verdict \(verdict)")
        }
        guard code != 0 else { return nil }
        let text = ERR_reason_error_string(code).map { String(cString: $0) } ?? "error \(code)"
        return .tls(Self.problem(ofReason: Int32(truncatingIfNeeded: code & 0x7F_FFFF)), reason: text)
    }

    private static func problem(ofVerdict verdict: Int32) -> HTTPCallFault.TLSProblem {
        switch verdict {
        case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH: .hostName
        case X509_V_ERR_CERT_HAS_EXPIRED, X509_V_ERR_CERT_NOT_YET_VALID: .outOfDate
        default: .untrusted
        }
    }

    private static func problem(ofReason reason: Int32) -> HTTPCallFault.TLSProblem {
        switch reason {
        case SSL_R_WRONG_VERSION_NUMBER, SSL_R_HTTP_REQUEST, SSL_R_BAD_RECORD_TYPE: .notTLS
        // From 1000 on they are the other side's alerts (SSL_AD_REASON_OFFSET).
        case 1_000...: .refused
        default: .other
        }
    }
}

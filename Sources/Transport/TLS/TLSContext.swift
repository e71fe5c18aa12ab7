internal import CLibevent
internal import COpenSSL
internal import Glibc

/// TLS of one server: the `SSL_CTX` that its connections on all loops share, with their sessions. Owns and frees it.
final class TLSContext: @unchecked Sendable {
    // Safe because nothing changes it once it is made but OpenSSL itself, which locks what connections share of it.

    private let raw: OpaquePointer

    /// Reads certificate, key and client authority once.
    init(_ configuration: TLSConfiguration) throws(TransportFault) {
        ERR_clear_error()
        guard let raw = SSL_CTX_new(TLS_server_method()) else {
            throw .tls(file: configuration.certificateFile, reason: OpenSSLErrors.drain())
        }
        // From here `deinit` frees it, also when this initialiser throws.
        self.raw = raw
        SSL_CTX_ctrl(raw, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil)
        // An idle connection then holds no buffers: 26 KB less for each.
        SSL_CTX_ctrl(raw, SSL_CTRL_MODE, Int(SSL_MODE_RELEASE_BUFFERS), nil)
        SSL_CTX_set_options(raw, TLSContext.options)
        try TLSContext.narrow(raw)
        TLSContext.keepSessions(raw)
        let certificate = configuration.certificateFile
        guard SSL_CTX_use_certificate_chain_file(raw, certificate) == 1 else {
            throw .tls(file: certificate, reason: OpenSSLErrors.drain())
        }
        let key = configuration.privateKeyFile
        guard SSL_CTX_use_PrivateKey_file(raw, key, SSL_FILETYPE_PEM) == 1, SSL_CTX_check_private_key(raw) == 1 else {
            throw .tls(file: key, reason: OpenSSLErrors.drain())
        }
        if let authority = configuration.clientAuthorityFile { try askForCertificates(of: authority) }
    }

    deinit { SSL_CTX_free(raw) }

    /// Takes `descriptor` into a new TLS connection that waits for the client's handshake; closes it on failure.
    func channel(_ descriptor: Int32, base: OpaquePointer) -> Channel? {
        ERR_clear_error()
        guard let ssl = SSL_new(raw) else {
            Glibc.close(descriptor)
            return nil
        }
        let bufferevent = bufferevent_openssl_socket_new(
            base,
            descriptor,
            ssl,
            BUFFEREVENT_SSL_ACCEPTING,
            shim_BEV_OPT_CLOSE_ON_FREE
        )
        guard let bufferevent else {
            // With this option libevent has freed the `SSL`, but not the descriptor.
            Glibc.close(descriptor)
            return nil
        }
        return Channel(takingOwnershipOf: bufferevent, ssl: ssl)
    }

    /// Asks each client for a certificate of this authority. The handshake goes on whatever comes.
    private func askForCertificates(of authority: String) throws(TransportFault) {
        guard SSL_CTX_load_verify_file(raw, authority) == 1, let names = SSL_load_client_CA_file(authority) else {
            throw .tls(file: authority, reason: OpenSSLErrors.drain())
        }
        // The context takes the names over.
        SSL_CTX_set_client_CA_list(raw, names)
        SSL_CTX_set_verify(raw, SSL_VERIFY_PEER, keepAnyCertificate)
    }

    /// What Mozilla's intermediate profile and a scanner without complaints leave: forward secrecy and authenticated
    /// encryption only.
    private static func narrow(_ raw: OpaquePointer) throws(TransportFault) {
        var groups = Array("X25519:P-256:P-384".utf8CString)
        // SSL_CTX_set1_groups_list, a macro; OpenSSL copies the list.
        guard SSL_CTX_set_cipher_list(raw, "ECDHE+AESGCM:ECDHE+CHACHA20") == 1,
            SSL_CTX_ctrl(raw, SSL_CTRL_SET_GROUPS_LIST, 0, &groups) == 1
        else { throw .tls(file: "the server's cipher suites", reason: OpenSSLErrors.drain()) }
    }

    /// Sessions can be resumed, by ticket and, for clients of TLS 1.2 without tickets, by id. What a session knows of the
    /// client's certificate, the verdict too, is resumed with it.
    private static func keepSessions(_ raw: OpaquePointer) {
        // Without an id of its own a server that asks for certificates refuses to resume sessions.
        let identity = Array("tsp-sandbox".utf8)
        SSL_CTX_set_session_id_context(raw, identity, UInt32(identity.count))
        // SSL_CTX_sess_set_cache_size, a macro. OpenSSL's own bound is twenty times that.
        SSL_CTX_ctrl(raw, SSL_CTRL_SET_SESS_CACHE_SIZE, 1_024, nil)
    }

    // Casts in macros are not imported; these are SSL_OP_NO_RENEGOTIATION, SSL_OP_CIPHER_SERVER_PREFERENCE,
    // SSL_OP_NO_COMPRESSION and SSL_OP_IGNORE_UNEXPECTED_EOF. HTTP knows where a message ends, so a client that just closes
    // its socket is a client that left, not a fault of TLS.
    private static let options: UInt64 = 1 << 30 | 1 << 22 | 1 << 17 | 1 << 7
}

/// OpenSSL's call for each certificate of a client's chain, on a loop thread. The verdict stays in the `SSL`.
private func keepAnyCertificate(_ isGood: Int32, _ context: OpaquePointer?) -> Int32 { 1 }

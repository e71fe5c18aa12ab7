import COpenSSL
import Glibc

/// The TLS side of a `RawClient`: one blocking `SSL` over its socket. Trusts any server; that is not what is tested.
final class TLSClient {
    struct Options: Sendable {
        var certificateFile: String?
        var keyFile: String?
        var version = TLS1_3_VERSION
        /// OpenSSL's list for TLS 1.2; nil for its default.
        var ciphers: String?
        /// False for a client of TLS 1.2 that resumes by session id.
        var takesTickets = true
        /// Whether the server's certificate is looked at, and refused.
        var trustsNobody = false
    }

    /// A session to resume, as the client keeps it.
    final class Session {
        fileprivate let raw: OpaquePointer
        fileprivate init(_ raw: OpaquePointer) { self.raw = raw }
        deinit { SSL_SESSION_free(raw) }
    }

    struct HandshakeFailed: Error {}

    private let context: OpaquePointer
    private let raw: OpaquePointer

    /// Does the handshake. The descriptor stays the caller's.
    init(_ descriptor: Int32, _ options: Options, resuming session: Session? = nil) throws {
        guard let context = SSL_CTX_new(TLS_client_method()), let raw = SSL_new(context) else {
            throw HandshakeFailed()
        }
        self.context = context
        self.raw = raw
        SSL_ctrl(raw, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(options.version), nil)
        SSL_ctrl(raw, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(options.version), nil)
        if let certificate = options.certificateFile, let key = options.keyFile {
            guard SSL_use_certificate_file(raw, certificate, SSL_FILETYPE_PEM) == 1,
                SSL_use_PrivateKey_file(raw, key, SSL_FILETYPE_PEM) == 1
            else { throw HandshakeFailed() }
        }
        if let ciphers = options.ciphers { SSL_set_cipher_list(raw, ciphers) }
        // SSL_OP_NO_TICKET, whose cast is not imported.
        if !options.takesTickets { SSL_set_options(raw, 1 << 14) }
        if let session { SSL_set_session(raw, session.raw) }
        if options.trustsNobody { SSL_set_verify(raw, SSL_VERIFY_PEER, nil) }
        guard SSL_set_fd(raw, descriptor) == 1, SSL_connect(raw) == 1 else { throw HandshakeFailed() }
    }

    deinit {
        // Nothing is sent by it; without it OpenSSL holds the session for broken and resumes it no more.
        SSL_set_shutdown(raw, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN)
        SSL_free(raw)
        SSL_CTX_free(context)
    }

    var version: String { SSL_get_version(raw).map { String(cString: $0) } ?? "" }

    /// Whether the handshake resumed the session it was given.
    var isResumed: Bool { SSL_session_reused(raw) == 1 }

    /// The session as it is now. With TLS 1.3 the ticket comes after the handshake: read an answer first.
    var session: Session? { SSL_get1_session(raw).map { Session($0) } }

    /// Asks for a new handshake on the same connection, which TLS 1.2 knows; true when the server took part.
    func renegotiates() -> Bool {
        guard SSL_renegotiate(raw) == 1, SSL_do_handshake(raw) == 1 else { return false }
        // The first call only asks.
        return SSL_renegotiate_pending(raw) == 0
    }

    func send(_ bytes: UnsafeRawBufferPointer) -> Int {
        Int(SSL_write(raw, bytes.baseAddress, Int32(bytes.count)))
    }

    /// Bytes read; 0 after the server's closing alert.
    func receive(_ bytes: UnsafeMutableRawBufferPointer) -> Int {
        ERR_clear_error()
        let count = Int(SSL_read(raw, bytes.baseAddress, Int32(bytes.count)))
        return count <= 0 && SSL_get_error(raw, Int32(count)) == SSL_ERROR_ZERO_RETURN ? 0 : count
    }

    /// Sends the closing alert.
    func close() { SSL_shutdown(raw) }
}

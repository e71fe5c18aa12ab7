import COpenSSL
import Glibc

/// The TLS side of a `RawClient`: one blocking `SSL` over its socket. Trusts any server; that is not what is tested.
final class TLSClient {
    struct Options: Sendable {
        var certificateFile: String?
        var keyFile: String?
        var version = TLS1_3_VERSION
    }

    struct HandshakeFailed: Error {}

    private let context: OpaquePointer
    private let raw: OpaquePointer

    /// Does the handshake. The descriptor stays the caller's.
    init(_ descriptor: Int32, _ options: Options) throws {
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
        guard SSL_set_fd(raw, descriptor) == 1, SSL_connect(raw) == 1 else { throw HandshakeFailed() }
    }

    deinit {
        SSL_free(raw)
        SSL_CTX_free(context)
    }

    var version: String { SSL_get_version(raw).map { String(cString: $0) } ?? "" }

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

import COpenSSL
import Transport

/// A client of TLS 1.2 that shows its certificate and then damages the last record of the handshake.
enum BrokenHandshake {
    struct CannotBegin: Error {}

    static func run(_ address: BoundAddress, _ options: TLSClient.Options) throws {
        guard let context = SSL_CTX_new(TLS_client_method()) else { throw CannotBegin() }
        defer { SSL_CTX_free(context) }
        guard let ssl = SSL_new(context), let incoming = BIO_new(BIO_s_mem()), let outgoing = BIO_new(BIO_s_mem())
        else {
            throw CannotBegin()
        }
        defer { SSL_free(ssl) }
        // The `SSL` takes both over.
        SSL_set_bio(ssl, incoming, outgoing)
        SSL_ctrl(ssl, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(options.version), nil)
        guard let certificate = options.certificateFile, let key = options.keyFile,
            SSL_use_certificate_file(ssl, certificate, SSL_FILETYPE_PEM) == 1,
            SSL_use_PrivateKey_file(ssl, key, SSL_FILETYPE_PEM) == 1
        else { throw CannotBegin() }
        SSL_set_connect_state(ssl)
        let client = try RawClient(address)
        var flights = 0
        while true {
            SSL_do_handshake(ssl)
            var bytes = pending(outgoing)
            if !bytes.isEmpty {
                flights += 1
                // The first is the greeting; the second ends with the encrypted proof of all that was said.
                if flights == 2 { bytes[bytes.count - 1] ^= 1 }
                try client.send(bytes)
                if flights == 2 { break }
            }
            let answer = try client.piece()
            BIO_write(incoming, answer, Int32(answer.count))
        }
        _ = try? client.rest()
    }

    /// What OpenSSL wants to be sent.
    private static func pending(_ bio: OpaquePointer) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(BIO_ctrl_pending(bio)))
        guard !bytes.isEmpty else { return [] }
        let count = BIO_read(bio, &bytes, Int32(bytes.count))
        return Array(bytes.prefix(Int(max(0, count))))
    }
}

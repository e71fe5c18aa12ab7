/// The files of a TLS server, all PEM.
package struct TLSConfiguration: Sendable, Equatable {
    /// The server's certificate, then its chain.
    package var certificateFile: String
    /// The key of that certificate.
    package var privateKeyFile: String
    /// The authorities of client certificates. With it the handshake asks for a certificate but never fails for one:
    /// the verdict travels with each request.
    package var clientAuthorityFile: String?

    /// Names the files; they are read when the server starts.
    package init(certificateFile: String, privateKeyFile: String, clientAuthorityFile: String? = nil) {
        self.certificateFile = certificateFile
        self.privateKeyFile = privateKeyFile
        self.clientAuthorityFile = clientAuthorityFile
    }
}

import Crypto

/// The files of the TLS port, looked at before the port is opened: what is wrong is told in words, and nothing ever asks on a
/// terminal.
enum TLSFiles {
    /// Each can be read, and the key is the certificate's.
    ///
    /// - Throws: ``FileFault`` naming the file.
    static func check(_ tls: SandboxConfiguration.TLS) throws {
        let certificate = try readCertificate(tls.certificateFile)
        let key = try parsed(tls.keyFile, "private key") { try PrivateKey(pem: $0) }
        guard certificate.publicKey == key.publicKey else {
            throw FileFault(path: tls.keyFile, reason: "is not the key of \(tls.certificateFile)")
        }
        if let file = tls.clientCAFile { _ = try readCertificate(file) }
    }

    private static func readCertificate(_ file: String) throws -> Certificate {
        try parsed(file, "certificate") { try Certificate(pem: $0) }
    }

    /// - Parameter what: what the file is to hold.
    private static func parsed<Value>(
        _ file: String,
        _ what: String,
        _ parse: (String) throws -> Value
    ) throws -> Value {
        let text = try Files.text(file)
        guard text.contains("-----BEGIN ") else { throw FileFault(path: file, reason: "no \(what) in it, in PEM") }
        do {
            return try parse(text)
        } catch let error as KeyError where error.fault == .encrypted {
            let cure = "openssl pkey -in \(file) -out plain.pem takes it away"
            throw FileFault(path: file, reason: "the key has a passphrase, and nobody is asked for one; \(cure)")
        } catch {
            throw FileFault(path: file, reason: "no \(what) that can be used: \(error)")
        }
    }
}

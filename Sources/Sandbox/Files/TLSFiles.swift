import Crypto
import Wire

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
        let bytes = try Files.bytes(file)
        guard let text = String(validating: bytes, as: UTF8.self), text.contains("-----BEGIN ") else {
            throw FileFault(path: file, reason: binary(bytes, file, what) ?? "no \(what) in it, in PEM")
        }
        do {
            return try parse(text)
        } catch let error as KeyError where error.fault == .encrypted {
            let cure = "openssl pkey -in \(file) -out plain.pem takes it away"
            throw FileFault(path: file, reason: "the key has a passphrase, and nobody is asked for one; \(cure)")
        } catch let error as KeyError where error.fault == .publicGiven {
            throw FileFault(path: file, reason: "holds no private key; --tls-cert and --tls-key may be swapped")
        } catch let error as CertificateError where error.fault == .notPEM && text.contains("PRIVATE KEY-----") {
            throw FileFault(path: file, reason: "holds no certificate; --tls-cert and --tls-key may be swapped")
        } catch {
            throw FileFault(path: file, reason: "no \(what) that can be used: \(error)")
        }
    }

    /// Which binary form the file has, and how it becomes PEM; nil when it is not DER.
    private static func binary(_ bytes: [UInt8], _ file: String, _ what: String) -> String? {
        guard let outer = try? BERReader.single(.sequence, in: bytes), var parts = try? outer.children(),
            let first = try? parts.next()
        else { return nil }
        // PFX (RFC 7292, section 4) begins with its version, 3; the keys of PKCS#8 and PKCS#1 with 0, those of SEC 1 with 1.
        if first.tag == .integer, (try? first.integer()) == 3 {
            return "is PKCS#12, and PEM is wanted: openssl pkcs12 -in \(file) -nodes -out file.pem"
        }
        let command = what == "certificate" ? "x509" : "pkey"
        return "is DER, and PEM is wanted: openssl \(command) -inform DER -in \(file) -out file.pem"
    }
}

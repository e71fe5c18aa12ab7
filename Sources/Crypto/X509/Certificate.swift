package import Wire

/// An X.509 certificate, read from DER by our own reader. Nothing about trust is decided here.
package struct Certificate: Sendable {
    /// All bytes, as they were read.
    package let der: [UInt8]
    /// The magnitude of the serial number, without leading zeros.
    package let serialNumber: [UInt8]
    /// The issuer's Name, DER.
    package let issuer: [UInt8]
    /// The subject's Name, DER.
    package let subject: [UInt8]
    /// The subject's common name.
    package let commonName: String?
    /// The issuer's common name.
    package let issuerCommonName: String?
    /// Begin of validity.
    package let notBefore: Instant
    /// End of validity.
    package let notAfter: Instant
    /// The subject's key.
    package let publicKey: PublicKey
    /// In the order in which they stand.
    package let extensions: [CertificateExtension]
    /// The part that is signed.
    let signedPart: [UInt8]
    let signatureAlgorithm: OID
    let signature: [UInt8]

    /// - Throws: ``CertificateError`` naming what the bytes are instead, where that can be seen.
    package init(der: [UInt8]) throws(CertificateError) {
        self = try ParsedCache.certificates.value(for: der) { () throws(CertificateError) in
            try Certificate(uncached: der)
        }
    }

    private init(uncached der: [UInt8]) throws(CertificateError) {
        if der.starts(with: Array("-----BEGIN".utf8)) { throw CertificateError(.pemInsteadOfDER) }
        let parts: CertificateParts
        do throws(BERFault) {
            parts = try CertificateParts(der)
        } catch {
            throw CertificateError(.notDER, error.description)
        }
        guard parts.innerAlgorithm == parts.algorithm.encoded else { throw CertificateError(.algorithmMismatch) }
        guard Set(parts.extensions.map(\.identifier)).count == parts.extensions.count else {
            throw CertificateError(.duplicateExtension)
        }
        do throws(KeyError) {
            publicKey = try PublicKey(SubjectPublicKeyInfo(der: parts.key))
        } catch {
            throw CertificateError(.key, error.description)
        }
        self.der = der
        serialNumber = parts.serialNumber
        issuer = parts.issuer.encoded
        subject = parts.subject.encoded
        commonName = DistinguishedName.commonName(of: parts.subject)
        issuerCommonName = DistinguishedName.commonName(of: parts.issuer)
        notBefore = parts.notBefore
        notAfter = parts.notAfter
        extensions = parts.extensions
        signedPart = parts.signedPart
        signatureAlgorithm = parts.algorithm.identifier
        signature = parts.signature
    }

    /// From the first `CERTIFICATE` block of PEM text.
    package init(pem: String) throws(CertificateError) {
        self = try ParsedCache.certificateTexts.value(for: Array(pem.utf8)) { () throws(CertificateError) in
            guard let first = try Certificate.all(inPEM: pem).first else { throw CertificateError(.notPEM) }
            return first
        }
    }

    /// All certificates of PEM text, in order.
    package static func all(inPEM text: String) throws(CertificateError) -> [Certificate] {
        guard let blocks = try? PEM.blocks(in: text) else { throw CertificateError(.notPEM, "the body is not base64") }
        if blocks.contains(where: { $0.label.hasSuffix("CERTIFICATE REQUEST") }) { throw CertificateError(.request) }
        var certificates: [Certificate] = []
        for block in blocks where block.label == "CERTIFICATE" || block.label == "X509 CERTIFICATE" {
            certificates.append(try Certificate(der: block.bytes))
        }
        return certificates
    }

    /// `CERTIFICATE` text.
    package var pem: String { PEM(label: "CERTIFICATE", bytes: der).text }

    /// SHA-256 of the DER, lower-case hexadecimal.
    package var fingerprint: String { Hex.encode(Hash.sha256.digest(der)) }
}

extension Certificate: Hashable {
    /// By their bytes.
    package static func == (left: Certificate, right: Certificate) -> Bool { left.der == right.der }
    /// By the bytes.
    package func hash(into hasher: inout Hasher) { hasher.combine(der) }
}

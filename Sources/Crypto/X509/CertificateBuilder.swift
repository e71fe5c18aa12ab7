package import Wire

/// Makes certificates: payload certificates, and hierarchies that look like the wallet provider's.
package struct CertificateBuilder: Sendable {
    /// Whose certificate it becomes.
    package var subject: DistinguishedName
    /// The magnitude of the serial number.
    package var serialNumber: [UInt8]
    /// Begin of validity.
    package var notBefore: Instant
    /// End of validity.
    package var notAfter: Instant
    /// In the order in which they are written.
    package var extensions: [CertificateExtension]
    /// Whether subject and authority key identifiers made from the keys are added.
    package var addsKeyIdentifiers = false

    /// A description of a certificate to make.
    package init(
        subject: DistinguishedName,
        serialNumber: [UInt8],
        notBefore: Instant,
        notAfter: Instant,
        extensions: [CertificateExtension] = []
    ) {
        self.subject = subject
        self.serialNumber = serialNumber
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.extensions = extensions
    }

    /// A certificate for `key`'s own public half. An RSA key gives the same bytes each time, an EC key does not.
    package func selfSigned(by key: PrivateKey) throws -> Certificate {
        let template = CertificateTemplate(self, issuer: subject.der, identifier: nil, key: key)
        return try Certificate(der: template.issuedDER(to: key.publicKey, serialNumber: serialNumber))
    }

    /// A certificate for `publicKey`, issued by `authority`, whose private key is `key`.
    package func issued(to publicKey: PublicKey, by authority: Certificate, key: PrivateKey) throws -> Certificate {
        let template = CertificateTemplate(self, authority: authority, key: key)
        return try Certificate(der: template.issuedDER(to: publicKey, serialNumber: serialNumber))
    }

}

extension CertificateBuilder {
    /// A certificate that card payloads are encrypted to: its subjectKeyIdentifier is the ASCII of `keyId`.
    package static func payload(keyId: String, serialNumber: [UInt8], notBefore: Instant, notAfter: Instant) -> Self {
        CertificateBuilder(
            subject: DistinguishedName(commonName: keyId, organization: "tsp-sandbox"),
            serialNumber: serialNumber,
            notBefore: notBefore,
            notAfter: notAfter,
            extensions: [
                .keyUsage([.keyEncipherment, .dataEncipherment]), .subjectKeyIdentifier(Array(keyId.utf8)),
            ]
        )
    }

    /// An authority of a wallet provider's hierarchy.
    package static func authority(
        commonName: String,
        serialNumber: [UInt8],
        notBefore: Instant,
        notAfter: Instant,
        pathLength: Int? = nil
    ) -> Self {
        var builder = CertificateBuilder(
            subject: DistinguishedName(commonName: commonName, organization: "tsp-sandbox"),
            serialNumber: serialNumber,
            notBefore: notBefore,
            notAfter: notAfter,
            extensions: [
                .basicConstraints(isAuthority: true, pathLength: pathLength), .keyUsage([.keyCertSign, .cRLSign]),
            ]
        )
        builder.addsKeyIdentifiers = true
        return builder
    }

    /// The leaf that pass data is encrypted to: critical marker, critical key usage.
    package static func passDataLeaf(
        commonName: String,
        serialNumber: [UInt8],
        notBefore: Instant,
        notAfter: Instant
    ) -> Self {
        var builder = CertificateBuilder(
            subject: DistinguishedName(commonName: commonName, organization: "tsp-sandbox"),
            serialNumber: serialNumber,
            notBefore: notBefore,
            notAfter: notAfter,
            extensions: [
                .keyUsage([.keyEncipherment, .keyAgreement]),
                CertificateExtension(.appleIssuerEncryption, isCritical: true, value: DER.null),
            ]
        )
        builder.addsKeyIdentifiers = true
        return builder
    }
}

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
        try Certificate(der: signed(for: key.publicKey, issuer: subject.der, by: key, identifier: nil))
    }

    /// A certificate for `publicKey`, issued by `authority`, whose private key is `key`.
    package func issued(to publicKey: PublicKey, by authority: Certificate, key: PrivateKey) throws -> Certificate {
        try Certificate(der: issuedDER(to: publicKey, by: authority, key: key))
    }

    /// The same for who only hands it out: reading it takes longer than making it. An authority with a P-256 key gives
    /// certificates of one length.
    package func issuedDER(to publicKey: PublicKey, by authority: Certificate, key: PrivateKey) throws -> [UInt8] {
        try signed(for: publicKey, issuer: authority.subject, by: key, identifier: authority.subjectKeyIdentifier)
    }

    private func signed(
        for publicKey: PublicKey,
        issuer: [UInt8],
        by key: PrivateKey,
        identifier authority: [UInt8]?
    ) throws -> [UInt8] {
        var extensions = extensions
        if addsKeyIdentifiers {
            extensions.append(.subjectKeyIdentifier(Array(Hash.sha256.digest(publicKey.der).prefix(20))))
            if let authority { extensions.append(.authorityKeyIdentifier(authority)) }
        }
        let (algorithm, algorithmIdentifier) = SignatureAlgorithm.issuing(with: key.kind)
        let list = extensions.isEmpty ? [] : DER.context(3, DER.element(0x30, extensions.flatMap(\.der)))
        let signedPart = DER.sequence(
            DER.context(0, DER.integer(2)),
            DER.integer(magnitude: serialNumber),
            algorithmIdentifier,
            issuer,
            DER.sequence(DER.time(notBefore), DER.time(notAfter)),
            subject.der,
            publicKey.der,
            list
        )
        var signature = try key.sign(signedPart, algorithm)
        // A length that chance decides would make the journals of two equal runs differ.
        while key.kind == .p256, signature.count != ECDSASignature.usualLength {
            if let mirrored = ECDSASignature.mirrored(signature), mirrored.count == ECDSASignature.usualLength {
                signature = mirrored
            } else {
                signature = try key.sign(signedPart, algorithm)
            }
        }
        return DER.sequence(signedPart, algorithmIdentifier, DER.bitString(signature))
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

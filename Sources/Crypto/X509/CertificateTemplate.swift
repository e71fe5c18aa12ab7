import Wire

/// Certificates of one authority that differ in key and serial number only, for who makes many: what they have in common is
/// written once.
package struct CertificateTemplate: Sendable {
    private static let version = DER.context(0, DER.integer(2))

    private let key: PrivateKey
    private let algorithm: SignatureAlgorithm
    private let algorithmIdentifier: [UInt8]
    /// From the signature's algorithm to the subject.
    private let middle: [UInt8]
    private let extensions: [UInt8]
    private let addsKeyIdentifiers: Bool
    /// Of the authority; empty when it has none.
    private let authorityKeyIdentifier: [UInt8]

    /// - Parameters:
    ///   - builder: gives everything but the serial number.
    ///   - key: the authority's private key.
    package init(_ builder: CertificateBuilder, authority: Certificate, key: PrivateKey) {
        self.init(builder, issuer: authority.subject, identifier: authority.subjectKeyIdentifier, key: key)
    }

    init(_ builder: CertificateBuilder, issuer: [UInt8], identifier: [UInt8]?, key: PrivateKey) {
        self.key = key
        (algorithm, algorithmIdentifier) = SignatureAlgorithm.issuing(with: key.kind)
        let validity = DER.sequence(DER.time(builder.notBefore), DER.time(builder.notAfter))
        middle = algorithmIdentifier + issuer + validity + builder.subject.der
        extensions = builder.extensions.flatMap(\.der)
        addsKeyIdentifiers = builder.addsKeyIdentifiers
        authorityKeyIdentifier = identifier.map { CertificateExtension.authorityKeyIdentifier($0).der } ?? []
    }

    /// A certificate for `publicKey`, unread: reading it takes longer than making it. An authority with a P-256 key gives
    /// certificates of one length.
    ///
    /// - Parameter serialNumber: its magnitude.
    package func issuedDER(to publicKey: PublicKey, serialNumber: [UInt8]) throws -> [UInt8] {
        var extensions = extensions
        if addsKeyIdentifiers {
            let identifier = Array(Hash.sha256.digest(publicKey.der).prefix(20))
            extensions += CertificateExtension.subjectKeyIdentifier(identifier).der
            extensions += authorityKeyIdentifier
        }
        let signedPart = DER.sequence(
            Self.version,
            DER.integer(magnitude: serialNumber),
            middle,
            publicKey.der,
            extensions.isEmpty ? [] : DER.context(3, DER.element(0x30, extensions))
        )
        return DER.sequence(signedPart, algorithmIdentifier, DER.bitString(try signature(of: signedPart)))
    }

    /// A length that chance decides would make the journals of two equal runs differ.
    private func signature(of signedPart: [UInt8]) throws -> [UInt8] {
        while true {
            let signature = try key.sign(signedPart, algorithm)
            if key.kind != .p256 || signature.count == ECDSASignature.usualLength { return signature }
            if let mirrored = ECDSASignature.mirrored(signature), mirrored.count == ECDSASignature.usualLength {
                return mirrored
            }
        }
    }
}

package import Wire

extension OID {
    static let commonName = OID(2, 5, 4, 3)
    static let organization = OID(2, 5, 4, 10)
    static let country = OID(2, 5, 4, 6)

    static let subjectKeyIdentifier = OID(2, 5, 29, 14)
    static let keyUsage = OID(2, 5, 29, 15)
    static let subjectAlternativeName = OID(2, 5, 29, 17)
    static let basicConstraints = OID(2, 5, 29, 19)
    static let authorityKeyIdentifier = OID(2, 5, 29, 35)
    static let extendedKeyUsage = OID(2, 5, 29, 37)

    static let sha1WithRSA = OID(1, 2, 840, 113549, 1, 1, 5)
    static let sha256WithRSA = OID(1, 2, 840, 113549, 1, 1, 11)
    static let sha384WithRSA = OID(1, 2, 840, 113549, 1, 1, 12)
    static let sha512WithRSA = OID(1, 2, 840, 113549, 1, 1, 13)
    static let ecdsaWithSHA256 = OID(1, 2, 840, 10045, 4, 3, 2)
    static let ecdsaWithSHA384 = OID(1, 2, 840, 10045, 4, 3, 3)
    static let ecdsaWithSHA512 = OID(1, 2, 840, 10045, 4, 3, 4)

    /// Marks the leaf that pass data is encrypted to (Apple's issuer encryption policy).
    package static let appleIssuerEncryption = OID(1, 2, 840, 113635, 100, 6, 39)
}

extension SignatureAlgorithm {
    /// The identifiers that certificates use. Everything else, SHA-1 included, is refused.
    static let certificateAlgorithms: [OID: SignatureAlgorithm] = [
        .sha256WithRSA: .rsaPKCS1(.sha256), .sha384WithRSA: .rsaPKCS1(.sha384), .sha512WithRSA: .rsaPKCS1(.sha512),
        .ecdsaWithSHA256: .ecdsa(.sha256), .ecdsaWithSHA384: .ecdsa(.sha384), .ecdsaWithSHA512: .ecdsa(.sha512),
        .ed25519: .ed25519,
    ]

    /// What a certificate authority with a key of `kind` signs with, and the DER of its identifier.
    static func issuing(with kind: KeyKind) -> (algorithm: SignatureAlgorithm, identifier: [UInt8]) {
        switch kind {
        case .rsa: (.rsaPKCS1(.sha256), DER.sequence(DER.oid(.sha256WithRSA), DER.null))
        case .p256: (.ecdsa(.sha256), DER.sequence(DER.oid(.ecdsaWithSHA256)))
        case .p384: (.ecdsa(.sha384), DER.sequence(DER.oid(.ecdsaWithSHA384)))
        case .p521: (.ecdsa(.sha512), DER.sequence(DER.oid(.ecdsaWithSHA512)))
        case .ed25519: (.ed25519, DER.sequence(DER.oid(.ed25519)))
        }
    }
}

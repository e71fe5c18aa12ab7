package import Wire

/// The kinds of key that are used here.
package enum KeyKind: String, Sendable, CaseIterable {
    case rsa = "RSA"
    case p256 = "P-256"
    case p384 = "P-384"
    case p521 = "P-521"
    case ed25519 = "Ed25519"

    /// Bytes of one coordinate, or of the Ed25519 key; nil for RSA.
    package var coordinateLength: Int? {
        switch self {
        case .rsa: nil
        case .p256, .ed25519: 32
        case .p384: 48
        case .p521: 66
        }
    }

    /// The identifier of the curve in a SubjectPublicKeyInfo.
    package var curve: OID? {
        switch self {
        case .p256: .p256
        case .p384: .p384
        case .p521: .p521
        case .rsa, .ed25519: nil
        }
    }
}

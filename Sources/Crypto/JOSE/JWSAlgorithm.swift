/// The signature algorithms that tokens may use (RFC 7518, section 3.1, and RFC 8037).
package enum JWSAlgorithm: String, Sendable, CaseIterable {
    case es256 = "ES256"
    case es384 = "ES384"
    case es512 = "ES512"
    case rs256 = "RS256"
    case rs512 = "RS512"
    case ps256 = "PS256"
    case ps384 = "PS384"
    case ps512 = "PS512"
    case edDSA = "EdDSA"

    /// The one kind of key that fits.
    package var keyKind: KeyKind {
        switch self {
        case .es256: .p256
        case .es384: .p384
        case .es512: .p521
        case .rs256, .rs512, .ps256, .ps384, .ps512: .rsa
        case .edDSA: .ed25519
        }
    }

    var signature: SignatureAlgorithm {
        switch self {
        case .es256: .ecdsa(.sha256)
        case .es384: .ecdsa(.sha384)
        case .es512: .ecdsa(.sha512)
        case .rs256: .rsaPKCS1(.sha256)
        case .rs512: .rsaPKCS1(.sha512)
        case .ps256: .rsaPSS(.sha256)
        case .ps384: .rsaPSS(.sha384)
        case .ps512: .rsaPSS(.sha512)
        case .edDSA: .ed25519
        }
    }

    /// Bytes of a signature by `key`.
    func signatureLength(for key: PublicKey) -> Int {
        keyKind == .rsa ? (key.bits + 7) / 8 : 2 * (keyKind.coordinateLength ?? 0)
    }
}

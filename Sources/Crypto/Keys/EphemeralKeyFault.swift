package import Wire

/// What can be wrong with the ephemeral public key beside encrypted pass data.
package enum EphemeralKeyFault: String, DiagnosisSubject {
    case empty = "EPK_EMPTY"
    case raw64 = "EPK_RAW64"
    case compressed = "EPK_COMPRESSED"
    case hybrid = "EPK_HYBRID"
    case spki = "EPK_SPKI"
    case pem = "EPK_PEM"
    case otherCurve = "EPK_OTHER_CURVE"
    case prefix = "EPK_PREFIX"
    case length = "EPK_LENGTH"
    case infinity = "EPK_INFINITY"
    case notOnCurve = "EPK_NOT_ON_CURVE"
}

extension EphemeralKeyFault {
    /// Kind, cause and cure of each case.
    package var meaning: (kind: RefusalKind, cause: String, cure: String) {
        let cure = "Send the 65 bytes 04, X, Y of the P-256 key made for this request."
        return switch self {
        case .empty: (.missing, "The ephemeral public key is empty.", cure)
        case .raw64: (.malformed, "The ephemeral public key lacks its first byte 04.", cure)
        case .compressed: (.malformed, "The ephemeral public key is in compressed form.", cure)
        case .hybrid: (.malformed, "The ephemeral public key is in hybrid form.", cure)
        case .spki: (.malformed, "The ephemeral public key is a DER SubjectPublicKeyInfo.", "Send its last 65 bytes.")
        case .pem: (.malformed, "The ephemeral public key is PEM text.", cure)
        case .otherCurve: (.malformed, "The ephemeral public key has the length of another curve.", cure)
        case .prefix: (.malformed, "The ephemeral public key does not begin with 04.", cure)
        case .length: (.malformed, "The ephemeral public key has a wrong length.", cure)
        case .infinity: (.undecryptable, "The ephemeral public key is the point at infinity.", cure)
        case .notOnCurve: (.undecryptable, "The ephemeral public key is not a point of P-256.", cure)
        }
    }
}

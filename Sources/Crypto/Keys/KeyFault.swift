package import Wire

/// What can be wrong with a key that somebody configured or sent.
package enum KeyFault: String, DiagnosisSubject {
    case notPEM = "KEY_NOT_PEM"
    case pemLabel = "KEY_PEM_LABEL"
    case pemNotDER = "KEY_PEM_BODY"
    case notDER = "KEY_NOT_DER"
    case pemInsteadOfDER = "KEY_PEM_INSTEAD_OF_DER"
    case privateGiven = "KEY_PRIVATE_GIVEN"
    case publicGiven = "KEY_PUBLIC_GIVEN"
    case symmetricGiven = "KEY_SYMMETRIC_GIVEN"
    case encrypted = "KEY_ENCRYPTED"
    case several = "KEY_SEVERAL"
    case kind = "KEY_KIND"
    case curve = "KEY_CURVE"
    case tooSmall = "KEY_TOO_SMALL"
    case tooLarge = "KEY_TOO_LARGE"
    case exponent = "KEY_EXPONENT"
    case pointForm = "KEY_POINT_FORM"
    case notOnCurve = "KEY_NOT_ON_CURVE"
    case jwkNotObject = "JWK_NOT_OBJECT"
    case jwkSet = "JWK_SET"
    case jwkMemberType = "JWK_MEMBER_TYPE"
    case jwkMemberMissing = "JWK_MEMBER_MISSING"
    case jwkMemberEncoding = "JWK_MEMBER_ENCODING"
    case jwkCoordinateLength = "JWK_COORDINATE_LENGTH"
    case unusable = "KEY_UNUSABLE"
}

extension KeyFault {
    /// Kind, cause and cure of each case.
    package var meaning: (kind: RefusalKind, cause: String, cure: String) {
        switch self {
        case .notPEM:
            (.malformed, "The key is not PEM text.", "Send the text from -----BEGIN to -----END, with its line breaks.")
        case .pemLabel:
            (.malformed, "The PEM label is not one of a key.", "Send PUBLIC KEY, CERTIFICATE or PRIVATE KEY.")
        case .pemNotDER: (.malformed, "The PEM body is not base64.", "Copy the block again, without cutting lines.")
        case .notDER:
            (.malformed, "The bytes are not the DER of a key.", "Export with openssl pkey -outform DER.")
        case .pemInsteadOfDER: (.malformed, "The bytes are PEM text, not DER.", "Decode the base64 between the lines.")
        case .privateGiven:
            (
                .malformed, "A private key was sent where a public one is needed.",
                "Replace that key; send its public half."
            )
        case .publicGiven:
            (.malformed, "A public key was sent where a private one is needed.", "Send the PKCS#8 private key.")
        case .symmetricGiven:
            (.malformed, "A symmetric key was sent where a public key is needed.", "Send an RSA, EC or Ed25519 key.")
        case .encrypted:
            (.malformed, "The private key is protected by a passphrase.", "Remove it with openssl pkey.")
        case .several:
            (.malformed, "The text has more than one key, and only one is wanted.", "Send each key on its own.")
        case .kind:
            (.malformed, "The key is of a kind that is not used here.", "Use RSA, P-256, P-384, P-521 or Ed25519.")
        case .curve: (.malformed, "The key is on another curve.", "Use P-256, P-384 or P-521, named by its OID.")
        case .tooSmall: (.malformed, "The RSA key is shorter than 2048 bits.", "Make a key of 2048 bits or more.")
        case .tooLarge: (.malformed, "The RSA key is longer than 8192 bits.", "Make a key of 2048 to 4096 bits.")
        case .exponent: (.malformed, "The RSA exponent is even, 1 or beyond 64 bits.", "Use 65537.")
        case .pointForm:
            (.malformed, "The point of the key is not in uncompressed form.", "Export it with -conv_form uncompressed.")
        case .notOnCurve:
            (.malformed, "The point is not on the curve.", "Send the coordinates of the public key itself.")
        case .jwkNotObject: (.malformed, "The JWK is not a JSON object.", "Send one key, not the set or a string.")
        case .jwkSet: (.malformed, "A whole JWK set was sent where one key is needed.", "Send one member of its keys.")
        case .jwkMemberType:
            (
                .malformed, "A JWK member is not a string.",
                "RFC 7518, section 6: the numbers of a key are texts in base64url, 65537 is AQAB."
            )
        case .jwkMemberMissing: (.malformed, "The JWK lacks a member.", "Send kty, and n and e, or crv, x and y.")
        case .jwkMemberEncoding:
            (
                .malformed, "A JWK member is not base64url without padding.",
                "Encode unsigned big-endian bytes in base64url."
            )
        case .jwkCoordinateLength:
            (
                .malformed, "A coordinate has not the length of the curve.",
                "Keep leading zero bytes (RFC 7518, 6.2.1.2)."
            )
        case .unusable: (.malformed, "The parts of the key do not belong together.", "Export the key again.")
        }
    }
}

/// A key was refused.
package struct KeyError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The reason.
    package let fault: KeyFault
    /// What was seen, without key material.
    package let evidence: String?

    /// A refusal with what was seen.
    package init(_ fault: KeyFault, _ evidence: String? = nil) {
        self.fault = fault
        self.evidence = evidence
    }

    /// Code, cause and evidence.
    package var description: String {
        fault.rawValue + ": " + fault.meaning.cause + (evidence.map { " (\($0))" } ?? "")
    }
}

package import Wire

/// Faults of a request's document that no single field has.
package enum DocumentFault: String, DiagnosisSubject {
    case notObject = "BODY_NOT_OBJECT"
    case unknownMember = "UNKNOWN_MEMBER"
    case hex = "ENC_HEX_INSTEAD_OF_B64"
    case base64URL = "ENC_B64URL"
    case lineBreaks = "ENC_B64_LINE_BREAKS"
    case pem = "ENC_PEM_INSTEAD_OF_B64"
    case doubleBase64 = "ENC_DOUBLE_BASE64"
    case unpadded = "ENC_B64_UNPADDED"
    case stringifiedArray = "ENC_STRINGIFIED_ARRAY"
    case stringifiedObject = "ENC_STRINGIFIED_OBJECT"
}

extension DocumentFault {
    /// What the code is about, in what way it refuses, and what to do about it.
    package var meaning: (kind: RefusalKind, cause: String, cure: String) {
        switch self {
        case .notObject: (.malformed, "The body is JSON, but not an object.", "Send one JSON object.")
        case .unknownMember:
            (
                .warning, "The body has a member the operation does not know.",
                "It is ignored; look for a spelling mistake."
            )
        case .hex:
            (
                .malformed, "Hexadecimal where base64 is wanted.",
                "Encode the bytes as base64, or use lenient strictness."
            )
        case .base64URL:
            (.malformed, "base64url where base64 is wanted.", "Use + and / with padding, or lenient strictness.")
        case .lineBreaks:
            (.malformed, "base64 with line breaks.", "Write the base64 on one line, or use lenient strictness.")
        case .pem:
            (
                .malformed, "PEM text where base64 of DER is wanted.",
                "Send the base64 between the PEM lines without breaks, or use lenient strictness."
            )
        case .doubleBase64:
            (.malformed, "The decoded bytes are base64 once more.", "Encode once, or use lenient strictness.")
        case .unpadded: (.malformed, "base64 without its padding.", "Add the = signs, or use lenient strictness.")
        case .stringifiedArray:
            (
                .malformed, "An array was sent as a text that holds JSON.",
                "Send the array itself, or use lenient strictness."
            )
        case .stringifiedObject:
            (
                .malformed, "An object with numbered members was sent for an array.",
                "Send an array, or use lenient strictness."
            )
        }
    }
}

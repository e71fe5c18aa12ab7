package import Wire

/// What can be wrong with the text form of an encrypted payload.
package enum PayloadEncodingFault: String, DiagnosisSubject {
    case empty = "ENC_EMPTY"
    case tooLong = "ENC_TOO_LONG"
    case base64 = "ENC_BASE64"
    case base64Lines = "ENC_BASE64_LINES"
    case base64URL = "ENC_BASE64URL"
    case pem = "ENC_PEM"
    case double = "ENC_DOUBLE"
    case hexOdd = "ENC_HEX_ODD"
    case hexSpaces = "ENC_HEX_SPACES"
    case hexCharacter = "ENC_HEX_CHARACTER"
    case hexPrefix = "ENC_HEX_PREFIX"
    case json = "ENC_JSON"
    case smime = "ENC_SMIME"
    case jose = "ENC_JOSE"
    case pemLabel = "ENC_PEM_LABEL"
    case other = "ENC_UNKNOWN"
}

extension PayloadEncodingFault {
    /// The code for a form that can be read and is not the documented one.
    package static func form(of encoding: PayloadEncoding) -> PayloadEncodingFault {
        switch encoding {
        case .base64, .hexLower, .hexUpper, .hexMixed: .base64
        case .hexSpaces: .hexSpaces
        case .hexPrefix: .hexPrefix
        case .base64Padding, .base64URLPadding: .other
        case .base64Lines: .base64Lines
        case .base64URL: .base64URL
        case .pemPKCS7, .pemCMS: .pem
        case .smime, .hexOfSMIME, .base64OfSMIME: .smime
        case .base64OfHex, .base64OfBase64, .hexOfHex, .hexOfBase64: .double
        }
    }

    /// Kind, cause and cure of each case.
    package var meaning: (kind: RefusalKind, cause: String, cure: String) {
        let cure = "Send the DER as hexadecimal digits and nothing else."
        return switch self {
        case .empty: (.missing, "The encrypted payload is empty.", cure)
        case .tooLong: (.tooLarge, "The encrypted payload is longer than 1 MiB.", "A card payload is about 1 kB.")
        case .base64: (.malformed, "The payload is base64, not hexadecimal.", cure)
        case .base64Lines: (.malformed, "The payload is base64 with line breaks.", cure)
        case .base64URL: (.malformed, "The payload is base64url, not hexadecimal.", cure)
        case .pem: (.malformed, "The payload is PEM text, not hexadecimal.", cure)
        case .double: (.malformed, "The payload was encoded twice.", cure)
        case .hexOdd:
            (.malformed, "The payload has an odd number of hexadecimal digits.", "A digit was lost on the way.")
        case .hexCharacter:
            (
                .malformed, "A character of the hexadecimal payload is not a digit.",
                "It was changed on the way: see the evidence for its position."
            )
        case .hexSpaces: (.malformed, "White space stands between or around the hexadecimal digits.", cure)
        case .hexPrefix: (.malformed, "The payload begins with 0x.", cure)
        case .json: (.malformed, "The payload is JSON in clear text.", "Encrypt it as PKCS#7 EnvelopedData.")
        case .smime:
            (
                .malformed, "The payload is S/MIME text, as openssl cms and PHP write unless told otherwise.",
                "Write DER: openssl cms -outform DER, in PHP OPENSSL_ENCODING_DER; then send it as hexadecimal digits."
            )
        case .jose: (.malformed, "The payload is a JOSE object.", "Send PKCS#7 EnvelopedData here.")
        case .pemLabel: (.malformed, "The payload is PEM with another label or a damaged body.", cure)
        case .other: (.malformed, "The payload is in no known encoding, or base64 with wrong padding.", cure)
        }
    }
}

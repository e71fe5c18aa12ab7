package import Wire

/// What can be wrong with a signed token (RFC 7515, RFC 7519).
///
/// What is not three base64url JSON parts is malformed; every other refusal is of a token that can be read.
package enum JWTFault: String, DiagnosisSubject {
    case empty = "JWT_EMPTY"
    case tooLarge = "JWT_TOO_LARGE"
    case parts = "JWT_PARTS"
    case encrypted = "JWT_IS_JWE"
    case jsonForm = "JWT_JSON_SERIALIZATION"
    case bearerPrefix = "JWT_BEARER_PREFIX"
    case whitespace = "JWT_WHITESPACE"
    case padding = "JWT_PADDING"
    case standardAlphabet = "JWT_STANDARD_ALPHABET"
    case alphabet = "JWT_ALPHABET"
    case segmentLength = "JWT_SEGMENT_LENGTH"
    case trailingBits = "JWT_TRAILING_BITS"
    case emptySegment = "JWT_EMPTY_SEGMENT"
    case headerJSON = "JWT_HEADER_JSON"
    case headerDuplicate = "JWT_HEADER_DUPLICATE"
    case headerNotObject = "JWT_HEADER_NOT_OBJECT"
    case claimsJSON = "JWT_CLAIMS_JSON"
    case claimsNotObject = "JWT_CLAIMS_NOT_OBJECT"

    case duplicateClaim = "JWT_DUPLICATE_CLAIM"
    case algorithmMissing = "JWT_ALG_MISSING"
    case headerMemberType = "JWT_HEADER_MEMBER_TYPE"
    case type = "JWT_TYP"
    case critical = "JWT_CRIT"
    case headerJWK = "JWT_HEADER_JWK"
    case headerJKU = "JWT_HEADER_JKU"
    case headerX5U = "JWT_HEADER_X5U"
    case headerX5C = "JWT_HEADER_X5C"
    case algorithmNone = "JWT_ALG_NONE"
    case algorithmHMAC = "JWT_ALG_HMAC"
    case algorithmNotAllowed = "JWT_ALG_NOT_ALLOWED"
    case noKeys = "JWT_NO_KEYS"
    case kidMissing = "JWT_KID_MISSING"
    case kidUnknown = "JWT_KID_UNKNOWN"
    case keyMismatch = "JWT_KEY_MISMATCH"
    case signatureMissing = "JWT_SIGNATURE_MISSING"
    case signatureDER = "JWT_SIGNATURE_DER"
    case signatureLength = "JWT_SIGNATURE_LENGTH"
    case signatureWithoutNull = "JWT_SIGNATURE_WITHOUT_NULL"
    case signatureInvalid = "JWT_SIGNATURE_INVALID"
}

extension JWTFault {
    /// Kind, cause and cure of each case.
    package var meaning: (kind: RefusalKind, cause: String, cure: String) {
        let compact = "Send header.claims.signature, each in base64url without padding."
        let keys = "Keys are registered beforehand, never taken from the token."
        return switch self {
        case .empty: (.malformed, "The token is empty.", compact)
        case .tooLarge: (.malformed, "The token is longer than 16 KiB.", "Put fewer claims into it.")
        case .parts: (.malformed, "The token has not three parts.", compact)
        case .encrypted: (.malformed, "The token has five parts: it is encrypted.", "Send the signed token.")
        case .jsonForm: (.malformed, "The token is in JSON serialization.", compact)
        case .bearerPrefix: (.malformed, "The token begins with Bearer.", "Send the token without that word.")
        case .whitespace: (.malformed, "White space is in the token.", "Remove line breaks and spaces.")
        case .padding: (.malformed, "A part of the token is padded with =.", compact)
        case .standardAlphabet: (.malformed, "A part of the token is base64, not base64url.", compact)
        case .alphabet: (.malformed, "A character of the token is not of base64url.", compact)
        case .segmentLength: (.malformed, "A part of the token has an impossible length.", "A character was lost.")
        case .trailingBits: (.malformed, "A part's last character has unused bits set.", "A character was changed.")
        case .emptySegment: (.malformed, "Header or claims are empty.", compact)
        case .headerJSON: (.malformed, "The header is not JSON.", "The evidence names place and reason.")
        case .headerDuplicate: (.malformed, "The header has a member twice.", "Send each member once.")
        case .headerNotObject: (.malformed, "The header is not a JSON object.", compact)
        case .claimsJSON: (.malformed, "The claims are not JSON.", "The evidence names place and reason.")
        case .claimsNotObject: (.malformed, "The claims are not a JSON object.", compact)
        case .duplicateClaim: (.unauthenticated, "A claim is given twice.", "Send each claim once.")
        case .algorithmMissing: (.unauthenticated, "The header has no alg.", "Name the algorithm.")
        case .headerMemberType: (.unauthenticated, "A header member is not a string.", "alg, kid and typ are strings.")
        case .type: (.unauthenticated, "typ is not JWT.", "Send \"typ\":\"JWT\".")
        case .critical: (.unauthenticated, "The header has crit, and no extension is known.", "Remove crit.")
        case .headerJWK: (.unauthenticated, "The header brings its own key (jwk).", keys)
        case .headerJKU: (.unauthenticated, "The header names a key set to fetch (jku).", keys)
        case .headerX5U: (.unauthenticated, "The header names a certificate to fetch (x5u).", keys)
        case .headerX5C: (.unauthenticated, "The header brings its own certificate (x5c).", keys)
        case .algorithmNone: (.unauthenticated, "The token is not signed (alg none).", "Sign it.")
        case .algorithmHMAC:
            (.unauthenticated, "The token is signed with a shared secret (HMAC).", "Sign with the registered key pair.")
        case .algorithmNotAllowed:
            (.unauthenticated, "The algorithm is not accepted here.", "Use one of the algorithms in the evidence.")
        case .noKeys: (.unauthenticated, "No key is registered for this use.", "Register the issuer's public key.")
        case .kidMissing: (.unauthenticated, "The header has no kid.", "Name the key that signed.")
        case .kidUnknown:
            (
                .unauthenticated, "The kid is not one of the registered ones.",
                "Use a kid of the evidence, or register the key: PUT /v1/issuers/{issuerId}, keys."
            )
        case .keyMismatch: (.unauthenticated, "The algorithm does not fit the key.", "Use the key's own algorithm.")
        case .signatureMissing: (.unauthenticated, "The signature is empty.", "Sign the token.")
        case .signatureDER:
            (.unauthenticated, "The signature is DER; R‖S is expected.", "Convert it (RFC 7518, section 3.4).")
        case .signatureLength: (.unauthenticated, "The signature has a wrong length.", "Sign with the registered key.")
        case .signatureWithoutNull:
            (
                .unauthenticated, "The signed DigestInfo names its hash without the NULL parameter.",
                "Sign with the NULL (RFC 8017, appendix A.2.4), or use lenient strictness."
            )
        case .signatureInvalid:
            (
                .unauthenticated, "The signature does not verify.",
                "Sign with the private half of the key that the issuer registered: PUT /v1/issuers/{issuerId}, keys."
            )
        }
    }
}

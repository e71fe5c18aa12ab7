package import Wire

/// What can be wrong with encrypted data in compact form (RFC 7516), before and after it is opened.
package enum JWEFault: String, DiagnosisSubject {
    case empty = "JWE_EMPTY"
    case tooLarge = "JWE_TOO_LARGE"
    case jsonForm = "JWE_JSON_SERIALIZATION"
    case whitespace = "JWE_WHITESPACE"
    case signed = "JWE_IS_JWS"
    case parts = "JWE_PARTS"
    case padding = "JWE_PADDING"
    case standardAlphabet = "JWE_STANDARD_ALPHABET"
    case alphabet = "JWE_ALPHABET"
    case segmentLength = "JWE_SEGMENT_LENGTH"
    case trailingBits = "JWE_TRAILING_BITS"
    case headerEmpty = "JWE_HEADER_EMPTY"
    case headerJSON = "JWE_HEADER_JSON"
    case headerDuplicate = "JWE_HEADER_DUPLICATE"
    case headerNotObject = "JWE_HEADER_NOT_OBJECT"
    case headerMemberType = "JWE_HEADER_MEMBER_TYPE"
    case critical = "JWE_CRIT"
    case compressed = "JWE_ZIP"
    case keyReference = "JWE_KEY_REFERENCE"
    case algorithmMissing = "JWE_ALG_MISSING"
    case algorithmNotAllowed = "JWE_ALG_NOT_ALLOWED"
    case keyWrapped = "JWE_ALG_KEY_WRAP"
    case passwordBased = "JWE_ALG_PBES2"
    case rsaPKCS1 = "JWE_ALG_RSA1_5"
    case encryptionMissing = "JWE_ENC_MISSING"
    case encryptionNotAllowed = "JWE_ENC_NOT_ALLOWED"
    case keyIDMissing = "JWE_KID_MISSING"
    case keyIDUnknown = "JWE_KID_UNKNOWN"
    case ephemeralMissing = "JWE_EPK_MISSING"
    case ephemeralNotObject = "JWE_EPK_NOT_OBJECT"
    case ephemeralPrivate = "JWE_EPK_PRIVATE"
    case ephemeralType = "JWE_EPK_KTY"
    case ephemeralCurve = "JWE_EPK_CURVE"
    case ephemeralMember = "JWE_EPK_MEMBER"
    case ephemeralCoordinate = "JWE_EPK_COORDINATE"
    case ephemeralNotOnCurve = "JWE_EPK_NOT_ON_CURVE"
    case partyInfo = "JWE_PARTY_INFO"
    case encryptedKey = "JWE_ENCRYPTED_KEY"
    case ivLength = "JWE_IV_LENGTH"
    case tagLength = "JWE_TAG_LENGTH"
    case derivedWithAlgorithm = "JWE_KDF_ALGORITHM_ID"
    case derivedWithoutPartyInfo = "JWE_KDF_PARTY_INFO"
    case tag = "JWE_TAG"
}

extension JWEFault {
    /// What each code is about and what to do (thales-push-provisioning 5.5).
    package var meaning: (kind: RefusalKind, cause: String, cure: String) {
        let compact = "Send header..iv.ciphertext.tag, each in base64url without padding."
        let header = "Send alg ECDH-ES, enc A256GCM, kid and epk."
        let point = "Send the x and y of a fresh P-256 key, 32 bytes each, in base64url."
        return switch self {
        case .empty: (.malformed, "The encrypted data is empty.", compact)
        case .tooLarge: (.malformed, "The encrypted data is longer than 8192 characters.", "Encrypt the card only.")
        case .jsonForm: (.malformed, "The encrypted data is in JSON serialization.", compact)
        case .whitespace: (.malformed, "White space is in the encrypted data.", "Remove line breaks and spaces.")
        case .signed: (.malformed, "The data has three parts: it is signed, not encrypted.", compact)
        case .parts: (.malformed, "The encrypted data has not five parts.", compact)
        case .padding: (.malformed, "A part of the encrypted data is padded with =.", compact)
        case .standardAlphabet: (.malformed, "A part of the encrypted data is base64, not base64url.", compact)
        case .alphabet: (.malformed, "A character of the encrypted data is not of base64url.", compact)
        case .segmentLength: (.malformed, "A part has an impossible length.", "A character was lost.")
        case .trailingBits: (.malformed, "A part's last character has unused bits set.", "A character was changed.")
        case .headerEmpty: (.malformed, "The header is empty.", header)
        case .headerJSON: (.malformed, "The header is not JSON.", header)
        case .headerDuplicate: (.malformed, "The header has a member twice.", "Send each member once.")
        case .headerNotObject: (.malformed, "The header is not a JSON object.", header)
        case .headerMemberType: (.malformed, "A header member is not a string.", "alg, enc and kid are strings.")
        case .critical: (.malformed, "The header has crit, and no extension is known.", "Remove crit.")
        case .compressed: (.malformed, "The header asks for compression (zip).", "Encrypt the text as it is.")
        case .keyReference:
            (.malformed, "The header brings or names a key (jwk, jku, x5u, x5c).", "Name the key by kid only.")
        case .algorithmMissing: (.malformed, "The header has no alg.", header)
        case .algorithmNotAllowed: (.malformed, "alg is not ECDH-ES.", header)
        case .keyWrapped:
            (.malformed, "alg wraps a key (ECDH-ES+A…KW); direct key agreement is wanted.", "Use alg ECDH-ES.")
        case .passwordBased:
            (
                .malformed, "alg derives the key from a password (PBES2); its count p2c is never followed.",
                "Use alg ECDH-ES."
            )
        case .rsaPKCS1:
            (
                .malformed, "alg is RSA1_5, whose padding gives the key away to whoever may ask often.",
                "Use alg ECDH-ES."
            )
        case .encryptionMissing: (.malformed, "The header has no enc.", header)
        case .encryptionNotAllowed: (.malformed, "enc is not A256GCM.", header)
        case .keyIDMissing: (.malformed, "The header has no kid.", "Name the key that D1 gave out.")
        case .keyIDUnknown: (.undecryptable, "No key has this kid.", "Use the kid of D1's encryption key.")
        case .ephemeralMissing: (.malformed, "The header has no epk.", point)
        case .ephemeralNotObject: (.malformed, "epk is not a JSON object.", point)
        case .ephemeralPrivate:
            (
                .malformed, "epk holds the private number d.",
                "Throw that key away and send the public half of a new one."
            )
        case .ephemeralType: (.malformed, "epk is not an EC key.", point)
        case .ephemeralCurve: (.malformed, "epk is on another curve.", point)
        case .ephemeralMember: (.malformed, "epk lacks x or y, or they are not base64url.", point)
        case .ephemeralCoordinate: (.malformed, "A coordinate of epk has not 32 bytes.", "Keep leading zero bytes.")
        case .ephemeralNotOnCurve: (.malformed, "epk is not a point of P-256.", point)
        case .partyInfo: (.malformed, "apu or apv is not base64url text.", "Encode them, or leave them out.")
        case .encryptedKey:
            (
                .malformed, "The second part is not empty.",
                "With ECDH-ES there is no encrypted key: leave the part empty."
            )
        case .ivLength: (.malformed, "The IV has not 12 bytes.", "Use a fresh IV of 96 bits.")
        case .tagLength: (.malformed, "The tag has not 16 bytes.", "Use a tag of 128 bits.")
        case .derivedWithAlgorithm:
            (
                .undecryptable, "The key was derived with the name of alg.",
                "With direct key agreement the algorithm id is the enc: A256GCM (RFC 7518, 4.6.2)."
            )
        case .derivedWithoutPartyInfo:
            (
                .undecryptable, "The key was derived without the apu and apv of the header.",
                "Put both into the derivation, or leave them out of the header."
            )
        case .tag:
            (
                .undecryptable, "The data does not open: the tag does not fit.",
                "Encrypt to the key of the kid; authenticate the header as it is sent."
            )
        }
    }
}

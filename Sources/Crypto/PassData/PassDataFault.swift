package import Wire

/// Why encrypted pass data does not open. The names follow the catalogue of the reference.
package enum PassDataFault: String, DiagnosisSubject {
    case empty = "PASS_DATA_EMPTY"
    case short = "PASS_DATA_SHORT"
    case encoded = "PASS_DATA_ENCODED"
    case iv16 = "IV_16_ZERO"
    case iv12 = "IV_12_ZERO"
    case order = "KDF_ORDER_X963"
    case noLengthByte = "KDF_NO_LENGTH_BYTE"
    case partyMerchant = "KDF_PARTYV_MERCHANT"
    case partyRaw64 = "KDF_PARTYV_RAW64"
    case partyCompressed = "KDF_PARTYV_COMPRESSED"
    case partyEmpty = "KDF_PARTYV_EMPTY"
    case partyLeaf = "KDF_PARTYV_LEAF"
    case noDerivation = "KDF_MISSING"
    case tagPrepended = "TAG_PREPENDED"
    case tagMissing = "TAG_MISSING"
    case leafMismatch = "LEAF_MISMATCH"
    case notOpened = "PASS_DATA_NOT_OPENED"
}

extension PassDataFault {
    /// Kind, cause and cure of each case.
    package var meaning: (kind: RefusalKind, cause: String, cure: String) {
        let party = "PartyV is the 65-byte ephemeral public key."
        return switch self {
        case .empty: (.missing, "The encrypted pass data is empty.", "Send ciphertext and tag.")
        case .short: (.malformed, "The encrypted pass data is shorter than a tag.", "Append the 16-byte tag.")
        case .encoded: (.malformed, "The encrypted pass data is text in another encoding.", "Encode it once.")
        case .iv16: (.undecryptable, "The IV was 16 zero bytes.", "Use 12 zero bytes.")
        case .iv12: (.undecryptable, "The IV was 12 zero bytes.", "Use 16 zero bytes, as configured.")
        case .order: (.undecryptable, "The key was derived in the order of X9.63.", "Hash the counter before Z.")
        case .noLengthByte:
            (.undecryptable, "The key was derived without the length byte 0D.", "Put 0D before id-aes256-GCM.")
        case .partyMerchant: (.undecryptable, "PartyV was the hash of a merchant id.", party)
        case .partyRaw64: (.undecryptable, "PartyV was the ephemeral key without its first byte.", party)
        case .partyCompressed: (.undecryptable, "PartyV was the compressed ephemeral key.", party)
        case .partyEmpty: (.undecryptable, "PartyV was empty.", party)
        case .partyLeaf: (.undecryptable, "PartyV was the key of the leaf certificate.", party)
        case .noDerivation: (.undecryptable, "The shared secret itself was the AES key.", "Derive the key from Z.")
        case .tagPrepended: (.undecryptable, "The tag stands before the ciphertext.", "Append the tag.")
        case .tagMissing: (.undecryptable, "The tag is missing.", "Append the 16-byte tag to the ciphertext.")
        case .leafMismatch:
            (.undecryptable, "It is encrypted to the leaf of another session.", "Use this session's certificates.")
        case .notOpened:
            (.undecryptable, "The encrypted pass data does not open in any known way.", "Compare with the test vector.")
        }
    }
}

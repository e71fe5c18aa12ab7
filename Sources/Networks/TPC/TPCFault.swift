package import Wire

/// What the TPC face refuses by itself.
package enum TPCFault: String, DiagnosisSubject {
    case schemeUnknown = "SCHEME_UNKNOWN"
    case actionUnknown = "ACTION_UNKNOWN"
    case encryptionSchemeUnsupported = "TPC_ENCRYPTION_SCHEME_UNSUPPORTED"
    case encryptionSchemeSpelling = "TPC_ENCRYPTION_SCHEME_SPELLING"
    case ignoredField = "FIELD_IGNORED"
    case suffixForm = "SUFFIX_FORM"
    case visaNeedsNonce = "VISA_NEEDS_NONCE"
    case tokenRequestorMissing = "TOKEN_REQUESTOR_ID_REQUIRED"
    case tokenRequestorMismatch = "TOKEN_REQUESTOR_ID_MISMATCH"
    case tokenRequestorNotWanted = "TOKEN_REQUESTOR_ID_NOT_WANTED"
    case selectorMissing = "CARD_SELECTOR_MISSING"
    case schemeWithoutPayload = "SCHEME_WITHOUT_PAYLOAD"
    case notDigitized = "CARD_NOT_DIGITIZED"
}

extension TPCFault {
    package var meaning: (kind: RefusalKind, cause: String, cure: String) {
        switch self {
        case .schemeUnknown:
            (.malformed, "The scheme is not one of the four.", "Use VISA, MASTERCARD, AMEX or DISCOVER, in capitals.")
        case .actionUnknown:
            (.malformed, "There is no such action.", "Use Activate, Suspend, Resume or Delete, in this spelling.")
        case .encryptionSchemeUnsupported:
            (.malformed, "Only ECC_V2 is served.", "Send EV_ECC_v2, or leave encryptionScheme out.")
        case .encryptionSchemeSpelling:
            (.malformed, "The encryption scheme is not written EV_ECC_v2.", "PassKit's raw value is EV_ECC_v2.")
        case .ignoredField:
            (.warning, "The field has no meaning for the four schemes.", "It is for domestic schemes; it is ignored.")
        case .suffixForm: (.malformed, "The suffix is not 4 or 5 digits.", "Send the last digits of the card.")
        case .visaNeedsNonce:
            (
                .missing, "Visa's activation data needs the nonce of a provisioning session.",
                "Activate a Visa token from the server: updateTokenState with Activate."
            )
        case .tokenRequestorMissing:
            (.missing, "For Visa the token requestor id must be given.", "Send 40010030273 for Apple Pay.")
        case .tokenRequestorMismatch:
            (
                .malformed, "The token belongs to another token requestor.",
                "Send the id of the wallet that holds the token."
            )
        case .tokenRequestorNotWanted:
            (
                .malformed, "For this scheme the token requestor id must be empty.",
                "Send an empty text, or leave it out; only Visa takes one."
            )
        case .selectorMissing:
            (
                .missing, "Nothing says which card is meant.",
                "Send scheme with encryptedPayload, primaryAccountIdentifier or primaryAccountNumberSuffix."
            )
        case .schemeWithoutPayload:
            (.missing, "scheme and encryptedPayload belong together.", "Send both, or select the card another way.")
        case .notDigitized:
            (.notDigitized, "No pass of the card is visible to the application.", "See the other codes of this answer.")
        }
    }
}

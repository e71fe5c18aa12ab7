package import Wire

/// What can be wrong with activation data.
package enum ActivationDataFault: String, DiagnosisSubject {
    case notJSON = "ACTIVATION_NOT_JSON"
    case versionUnknown = "ACTIVATION_VERSION"
    case memberMissing = "ACTIVATION_MEMBER_MISSING"
    case tavAlgorithm = "ACTIVATION_TAV_ALGORITHM"
    case tavTimestampForm = "ACTIVATION_TAV_TIMESTAMP_FORM"
    case tavExpired = "ACTIVATION_TAV_EXPIRED"
    case tavTooFar = "ACTIVATION_TAV_TOO_FAR_AHEAD"
    case tavFieldUnknown = "ACTIVATION_TAV_FIELD_UNKNOWN"
    case tavPANNotSigned = "ACTIVATION_TAV_PAN_NOT_SIGNED"
    case tavTimestampNotSigned = "ACTIVATION_TAV_TIMESTAMP_NOT_SIGNED"
    case tavAliasUnknown = "ACTIVATION_TAV_ALIAS_UNKNOWN"
    case tavTokenUnknown = "ACTIVATION_TAV_TOKEN_UNKNOWN"
    case tavSignatureForm = "ACTIVATION_TAV_SIGNATURE_FORM"
    case tavSignature = "ACTIVATION_TAV_SIGNATURE"
    case visaForm = "ACTIVATION_VISA_FORM"
    case visaKeySet = "ACTIVATION_VISA_KEY_SET"
    case visaCiphertext = "ACTIVATION_VISA_CIPHERTEXT"
    case visaNotOpened = "ACTIVATION_VISA_NOT_OPENED"
    case visaNonce = "ACTIVATION_VISA_NONCE"
    case visaNonceAbsent = "ACTIVATION_VISA_NONCE_ABSENT"
    case macForm = "ACTIVATION_MAC_FORM"
    case macWithoutNonce = "ACTIVATION_MAC_WITHOUT_NONCE"
    case macMismatch = "ACTIVATION_MAC_MISMATCH"
}

extension ActivationDataFault {
    /// What the code is about, in what way it refuses, and what to do about it.
    package var meaning: (kind: RefusalKind, cause: String, cure: String) {
        let (cause, cure) = text
        return (.activation, cause, cure)
    }

    private var text: (String, String) {
        switch self {
        case .notJSON: ("The activation data is not a JSON object.", "Send base64 of the JSON document.")
        case .versionUnknown:
            ("The version is not known.", "Mastercard: 2, 3 or 4 as a string. Amex and Discover: 1.")
        case .memberMissing: ("A member of the document is missing.", "See the evidence for the member.")
        case .tavAlgorithm: ("signatureAlgorithm is not RSA-SHA256.", "Sign with RSASSA-PKCS1-v1_5 and SHA-256.")
        case .tavTimestampForm:
            ("dataValidUntilTimestamp is not an ISO 8601 time with a zone.", "Write it like 2030-01-01T00:00:00Z.")
        case .tavExpired: ("dataValidUntilTimestamp is over.", "Make a new value; 30 minutes are recommended.")
        case .tavTooFar: ("dataValidUntilTimestamp is more than 30 days ahead.", "Stay within 30 days.")
        case .tavFieldUnknown:
            (
                "includedFieldsInOrder names a field that does not exist.",
                "Use dataValidUntilTimestamp, accountNumber and accountExpiry."
            )
        case .tavPANNotSigned:
            ("accountNumber is not among the signed fields.", "Sign it: the value must belong to one card.")
        case .tavTimestampNotSigned:
            ("dataValidUntilTimestamp is not among the signed fields.", "Sign it, or anyone can prolong the value.")
        case .tavAliasUnknown:
            ("keyAlias is not one of the issuer's.", "Register the key under this alias in networkKeys.mastercard.tav.")
        case .tavTokenUnknown:
            (
                "The value is bound to a token, and the token is not known yet.",
                "Leave the token unique reference out while provisioning."
            )
        case .tavSignatureForm: ("The signature is not base64.", "Encode the signature as base64.")
        case .tavSignature:
            (
                "The signature fits none of the issuer's TAV keys.",
                "Sign the values in the order named, joined with |, for this card."
            )
        case .visaForm: ("The value is not MBPAC-1-FK-<keySetId>--TDEA-<hex>.", "Compare it with visa-vts 7.3.")
        case .visaKeySet: ("The key set id is not the issuer's.", "Use networkKeys.visa.keySetId.")
        case .visaCiphertext:
            ("The ciphertext is not whole blocks of hexadecimal.", "TDEA blocks are 8 bytes, 16 hexadecimal digits.")
        case .visaNotOpened:
            (
                "The ciphertext opens to something that has not the inferred layout.",
                "Check the key and the layout: header, random, length, data, padding."
            )
        case .visaNonce: ("The nonce inside is not the session's.", "Make the value for the nonce of this session.")
        case .visaNonceAbsent:
            ("There is no nonce the value could be bound to.", "Activate from the server: updateTokenState.")
        case .macForm: ("The document has no mac of 32 bytes in base64.", "Send {\"v\":1,\"mac\":\"…\"}.")
        case .macWithoutNonce:
            (
                "The MAC is over the PAN alone, where the nonce is needed too.",
                "MAC the nonce's bytes followed by the PAN."
            )
        case .macMismatch:
            (
                "The MAC is not that of this card, nonce and key.",
                "HMAC-SHA-256 over the nonce's bytes and the PAN in ASCII."
            )
        }
    }
}

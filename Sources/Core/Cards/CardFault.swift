package import Wire

/// What can be wrong with the data of a card, whichever face it came through.
package enum CardFault: String, DiagnosisSubject {
    case payloadNotJSON = "PAYLOAD_NOT_JSON"
    case payloadMemberTwice = "PAYLOAD_MEMBER_TWICE"
    case payloadNotObject = "PAYLOAD_NOT_OBJECT"
    case cardReferenceMissing = "CARD_REF_MISSING"
    case cardReferenceMalformed = "CARD_REF_MALFORMED"
    case cardReferenceIsPAN = "CARD_REF_IS_PAN"
    case cardReferenceConflict = "CARD_REF_CONFLICT"
    case panMissing = "PAYLOAD_PAN_MISSING"
    case panMalformed = "PAYLOAD_PAN_MALFORMED"
    case panIsNumber = "PAYLOAD_PAN_IS_NUMBER"
    case panLength = "PAN_LENGTH"
    case panLuhn = "PAN_LUHN"
    case panNotTest = "PAN_NOT_TEST"
    case panSuffixMismatch = "PAN_SUFFIX_MISMATCH"
    case networkUnknown = "PAN_NETWORK_UNKNOWN"
    case networkMismatch = "PAN_NETWORK_MISMATCH"
    case expiryMissing = "PAYLOAD_EXPIRY_MISSING"
    case expiryFormat = "EXP_FORMAT"
    case expiryImpossible = "EXPIRY_IMPOSSIBLE"
    case expiryOrder = "EXPIRY_ORDER"
    case holderMissing = "PAYLOAD_CARDHOLDER_NAME_MISSING"
    case holderMalformed = "PAYLOAD_CARDHOLDER_NAME_MALFORMED"
    case holderTooLong = "CARDHOLDER_NAME_TOO_LONG"
    case holderEmbossing = "CARDHOLDER_NAME_EMBOSSING"
    case holderSpelling = "PAYLOAD_CARDHOLDER_NAME_SPELLING"
    case memberTooLong = "PAYLOAD_MEMBER_TOO_LONG"
    case unknownMember = "PAYLOAD_MEMBER_UNKNOWN"
    case securityCodeNotWanted = "SECURITY_CODE_NOT_WANTED"
    case issuerUnknownForPAN = "ISSUER_UNKNOWN_FOR_PAN"
    case issuerAmbiguous = "ISSUER_AMBIGUOUS"
    case cardUnknown = "CARD_UNKNOWN"
    case fpanIdentifierMismatch = "FPAN_ID_MISMATCH"
    case fpanIdentifierUnknown = "PRIMARY_ACCOUNT_IDENTIFIER_UNKNOWN"
}

extension CardFault {
    /// The name of what keeps decrypted text from being JSON.
    package static func unreadable(_ fault: JSONFault) -> CardFault {
        fault.reason == .duplicateKey ? .payloadMemberTwice : .payloadNotJSON
    }
}

extension CardFault {
    /// What the code is about, in what way it refuses, and what to do about it.
    package var meaning: (kind: RefusalKind, cause: String, cure: String) {
        switch self {
        case .payloadNotJSON:
            (.contentMalformed, "The decrypted payload is not JSON.", "Encrypt the card as one JSON object in UTF-8.")
        case .payloadMemberTwice:
            (.contentMalformed, "The decrypted payload has a member twice.", "Send each member once.")
        case .payloadNotObject:
            (
                .contentMalformed, "The decrypted payload is JSON, but not an object.",
                "Encrypt {\"issuerCardRefId\":…, \"fpan\":…, …}."
            )
        case .cardReferenceMissing:
            (.contentMissing, "The payload has no issuerCardRefId.", "Add the issuer's own id of the card.")
        case .cardReferenceMalformed:
            (
                .contentMalformed, "The card reference is not a text of 1 to 48 characters.",
                "Use 1 to 48 characters, no space or control character among them."
            )
        case .cardReferenceIsPAN:
            (
                .invalidData, "The card reference is a card number, or holds one.",
                "Use a reference without a card number in it."
            )
        case .cardReferenceConflict:
            (
                .invalidData, "The card reference is registered with another PAN.",
                "Use one reference for one card, or replace the card."
            )
        case .panMissing: (.contentMissing, "The card number is absent.", "Add the PAN as a string of digits.")
        case .panMalformed:
            (.contentMalformed, "The card number is not a string of digits.", "Send digits only, no spaces or hyphens.")
        case .panIsNumber: (.contentMalformed, "The card number is a JSON number.", "Send the PAN as a string.")
        case .panLength: (.invalidData, "No card of this network has a number of this length.", "Send the whole PAN.")
        case .panLuhn:
            (
                .invalidData, "The check digit of the card number is wrong.",
                "Correct the number; only strict mode refuses it."
            )
        case .panNotTest:
            (
                .invalidData, "The card number is not a published test number.",
                "Use a number of fixtures/test-pans.json, or start with --pan-policy any. Never send a real card."
            )
        case .panSuffixMismatch:
            (.invalidData, "The last digits given do not end the card number.", "Send the suffix of the same card.")
        case .networkUnknown:
            (
                .invalidData, "The card number belongs to none of the four networks.",
                "Use a Visa, Mastercard, American Express or Discover number."
            )
        case .networkMismatch:
            (.invalidData, "The scheme and the card number disagree.", "Send the scheme of the card.")
        case .expiryMissing: (.contentMissing, "The expiry is absent.", "Add the expiry.")
        case .expiryFormat:
            (
                .contentMalformed, "The expiry has the wrong form.",
                "The card payload takes MMYY, Apple's pass data MM/YY."
            )
        case .expiryImpossible:
            (.invalidData, "The month of the expiry does not exist.", "MMYY: the month comes first.")
        case .expiryOrder:
            (.invalidData, "The expiry is over, and may be written year first.", "MMYY: the month comes first.")
        case .holderMissing: (.contentMissing, "The cardholder's name is absent.", "Add cardHolderName.")
        case .holderMalformed:
            (.contentMalformed, "The cardholder's name is not a text.", "Send the name as printed on the card.")
        case .holderTooLong:
            (.invalidData, "Mastercard takes at most 27 characters of a name.", "Shorten the name as embossed.")
        case .holderEmbossing:
            (
                .contentMalformed, "The name has more than 26 characters, or a control character.",
                "Send the name as it stands on the card."
            )
        case .holderSpelling:
            (.warning, "The member is written cardholderName.", "The documented spelling is cardHolderName.")
        case .memberTooLong:
            (.contentMalformed, "A member is longer than documented.", "See the evidence for the member and its limit.")
        case .unknownMember: (.warning, "The payload has a member that is not documented.", "It is ignored.")
        case .securityCodeNotWanted:
            (.warning, "The payload holds a security code.", "Push provisioning takes none; leave it out.")
        case .issuerUnknownForPAN:
            (.declined, "No issuer owns the card number.", "Register the card, or add an account range to the issuer.")
        case .issuerAmbiguous:
            (.declined, "Two issuers own the card number.", "Register the card with one issuer only.")
        case .cardUnknown:
            (
                .notFound, "No such card is registered.",
                "The first valid payload registers a card; POST /v1/cards does too."
            )
        case .fpanIdentifierMismatch:
            (.warning, "primaryAccountIdentifier is not this card's.", "Send the FPAN id of the card, or leave it out.")
        case .fpanIdentifierUnknown:
            (
                .malformed, "No card of the issuer has this primaryAccountIdentifier.",
                "Send the one of a pass that the phone shows, or leave it out for a new card."
            )
        }
    }
}

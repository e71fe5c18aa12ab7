package import Wire

/// What can be wrong with an authorization code whose signature is another matter.
package enum AuthorizationCodeFault: String, DiagnosisSubject {
    case issuerMissing = "JWT_ISS_MISSING"
    case issuerMismatch = "JWT_ISS_MISMATCH"
    case audienceMissing = "JWT_AUD_MISSING"
    case audienceMismatch = "JWT_AUD_MISMATCH"
    case audienceUnknown = "JWT_AUD_UNKNOWN"
    case subjectMissing = "JWT_SUB_MISSING"
    case subjectMismatch = "JWT_SUB_MISMATCH"
    case subjectIsTokenID = "JWT_SUB_IS_TOKEN_ID"
    case subjectIsCardReference = "JWT_SUB_IS_CARD_REF"
    case subjectOtherToken = "JWT_SUB_OTHER_TOKEN"
    case identifierForm = "JWT_JTI_FORM"
    case replayed = "JWT_JTI_REPLAYED"
    case claimType = "JWT_CLAIM_TYPE"
}

extension AuthorizationCodeFault {
    /// What the code is about, in what way it refuses, and what to do about it.
    package var meaning: (kind: RefusalKind, cause: String, cure: String) {
        let (cause, cure) = text
        return (.unauthenticated, cause, cure)
    }

    private var text: (String, String) {
        switch self {
        case .issuerMissing: ("The claim iss is missing.", "Set iss to the issuerId.")
        case .issuerMismatch: ("iss is not the issuer of the path.", "Set iss to the issuerId of the path.")
        case .audienceMissing: ("The claim aud is missing.", "Set aud to APPLE_PAY.")
        case .audienceMismatch: ("aud names another wallet.", "Set aud to APPLE_PAY: the request is for Apple Pay.")
        case .audienceUnknown: ("aud is not a wallet that is known.", "Set aud to APPLE_PAY, as a string.")
        case .subjectMissing:
            ("The claim sub is missing.", "Provisioning: the card reference. Life cycle: the token id.")
        case .subjectMismatch: ("sub is not the issuerCardRefId of the payload.", "Use the same reference in both.")
        case .subjectIsTokenID:
            (
                "sub is a token id where the card reference is wanted.",
                "A code for the life cycle is not one for provisioning: make another."
            )
        case .subjectIsCardReference:
            ("sub is a card reference where the token id is wanted.", "Set sub to the pass's deviceAccountIdentifier.")
        case .subjectOtherToken: ("sub is the id of another token.", "Make the code for the token in the request.")
        case .identifierForm:
            (
                "jti is not a text of 1 to 128 characters, or holds a card number.",
                "Use a new UUID for each code, or leave jti out."
            )
        case .replayed: ("The jti was used by a request that went through.", "Make a new code for each request.")
        case .claimType: ("A claim has another JSON type than documented.", "iss, sub and aud are strings.")
        }
    }
}

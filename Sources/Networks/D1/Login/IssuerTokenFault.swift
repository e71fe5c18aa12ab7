package import Wire

/// What can be wrong with an issuer token besides form, signature and times.
package enum IssuerTokenFault: String, DiagnosisSubject {
    case issuerMissing = "D1_ISS_MISSING"
    case issuerUnknown = "D1_ISS_UNKNOWN"
    case subjectMissing = "D1_SUB_MISSING"
    case subjectForm = "D1_SUB_FORM"
    case consumerUnknown = "D1_CONSUMER_UNKNOWN"
    case audienceMissing = "D1_AUD_MISSING"
    case audienceMismatch = "D1_AUD_MISMATCH"
    case scopeMissing = "D1_SCOPE_MISSING"
    case scopeUnknown = "D1_SCOPE_UNKNOWN"
    case scopeIgnored = "D1_SCOPE_IGNORED"
    case identifierMissing = "D1_JTI_MISSING"
    case claimType = "D1_CLAIM_TYPE"
    case tokensEmpty = "D1_ISSUER_TOKENS_EMPTY"
    case issuerTwice = "D1_ISSUER_TOKEN_TWICE"
    case tooMany = "D1_ISSUER_TOKENS_TOO_MANY"
}

extension IssuerTokenFault {
    package var meaning: (kind: RefusalKind, cause: String, cure: String) {
        switch self {
        case .issuerMissing: (.unauthenticated, "The claim iss is missing.", "Set iss to the issuerId.")
        case .issuerUnknown:
            (
                .unauthenticated, "iss is not an issuer that is known.",
                "Set iss to the issuerId the key is registered with."
            )
        case .subjectMissing: (.unauthenticated, "The claim sub is missing.", "Set sub to the consumerId.")
        case .subjectForm:
            (
                .unauthenticated, "sub is not one or several consumerIds.",
                "1 to 64 of A–Z a–z 0–9 _ - each, one space between several."
            )
        case .consumerUnknown:
            (
                .unauthenticated, "sub names a consumer that is not registered.",
                "Register it: PUT /banking/v2/issuers/{issuerId}/consumers/{consumerId}."
            )
        case .audienceMissing:
            (.unauthenticated, "The claim aud is missing.", "Set aud to a value of the issuer's d1.audience.")
        case .audienceMismatch:
            (
                .unauthenticated, "aud is not one of the configured values.",
                "Set aud to a value of the issuer's d1.audience."
            )
        case .scopeMissing:
            (.unauthenticated, "The claim scope is missing.", "Set scope to the values agreed at onboarding.")
        case .scopeUnknown:
            (.unauthenticated, "scope holds none of the configured values.", "Use a value of the issuer's d1.scopes.")
        case .scopeIgnored: (.warning, "scope holds a value that is not configured.", "It gives no right here.")
        case .identifierMissing: (.unauthenticated, "The claim jti is missing.", "Use a new UUID for each token.")
        case .claimType:
            (.unauthenticated, "A claim has another JSON type than documented.", "See the evidence for the claim.")
        case .tokensEmpty: (.missing, "issuerTokens is empty.", "Send one token for each issuerId.")
        case .issuerTwice:
            (
                .malformed, "Two tokens are for one issuerId.",
                "Send one token for each issuerId; several consumers go into one sub."
            )
        case .tooMany: (.malformed, "There are more than 16 issuer tokens.", "Send one token for each issuerId.")
        }
    }
}

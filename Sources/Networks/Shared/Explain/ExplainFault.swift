package import Wire

/// What can be wrong with a request for an explanation, and what only an explanation says.
package enum ExplainFault: String, DiagnosisSubject {
    case kindNotServed = "EXPLAIN_KIND_NOT_SERVED"
    case keyUnknown = "EXPLAIN_KEY_UNKNOWN"
    case useUnclear = "EXPLAIN_USE_UNCLEAR"
    case notChecked = "EXPLAIN_NOT_CHECKED"
    case issuerUnclear = "EXPLAIN_ISSUER_UNCLEAR"
    case issuerDiffers = "EXPLAIN_ISSUER_DIFFERS"
    case subjectDiffers = "EXPLAIN_SUB_DIFFERS"
    case audienceDiffers = "EXPLAIN_AUD_DIFFERS"
    case sessionUnknown = "EXPLAIN_SESSION_UNKNOWN"
}

extension ExplainFault {
    /// What the code is about, in what way it refuses, and what to do about it.
    package var meaning: (kind: RefusalKind, cause: String, cure: String) {
        switch self {
        case .kindNotServed:
            (
                .malformed, "This kind cannot be explained: the face it belongs to is not built.",
                "Explain pkcs7, jws, jwe, pass or activation-data."
            )
        case .keyUnknown:
            (.malformed, "There is no key with this keyId.", "See the detail for those there are, or leave keyId out.")
        case .useUnclear:
            (
                .malformed, "Neither the key nor the claims say what the token is for.",
                "Give use in the context; what depends on it was not checked."
            )
        case .notChecked:
            (.malformed, "What this depends on is not in the context.", "Give the members that the detail names.")
        case .issuerUnclear:
            (
                .malformed, "Nothing says which issuer's keys are to be used.",
                "Give issuerId, or a pan that an issuer owns."
            )
        case .issuerDiffers:
            (.unauthenticated, "iss is not the issuerId of the context.", "Compare the two; one of them is wrong.")
        case .subjectDiffers:
            (.unauthenticated, "sub is not that of the context.", "Compare the two; one of them is wrong.")
        case .audienceDiffers:
            (.unauthenticated, "aud is not that of the context.", "Compare the two; one of them is wrong.")
        case .sessionUnknown:
            (
                .malformed, "There is no such provisioning session.",
                "Sessions are kept for an hour; give nonce instead of sessionId."
            )
        }
    }
}

package import Wire

/// What can be wrong with the times in a token (RFC 7519, sections 4.1.4 to 4.1.6).
package enum TimeClaimFault: String, DiagnosisSubject {
    case expired = "JWT_EXPIRED"
    case expMissing = "JWT_EXP_MISSING"
    case expNotNumber = "JWT_EXP_NOT_NUMBER"
    case expMilliseconds = "JWT_EXP_MILLISECONDS"
    case expFar = "JWT_EXP_FAR"
    case expBeforeIat = "JWT_EXP_BEFORE_IAT"
    case iatFuture = "JWT_IAT_FUTURE"
    case iatMissing = "JWT_IAT_MISSING"
    case iatNotNumber = "JWT_IAT_NOT_NUMBER"
    case iatMilliseconds = "JWT_IAT_MILLISECONDS"
    case notYetValid = "JWT_NOT_YET_VALID"
    case nbfNotNumber = "JWT_NBF_NOT_NUMBER"
    case nbfMilliseconds = "JWT_NBF_MILLISECONDS"
}

extension TimeClaimFault {
    /// Kind, cause and cure of each case.
    package var meaning: (kind: RefusalKind, cause: String, cure: String) {
        let number = "Send seconds since 1970 as a JSON number."
        let clock = "Compare the clocks; 60 s of difference are accepted."
        return switch self {
        case .expired:
            (.unauthenticated, "The token has expired.", "Make a new one for each request; compare the clocks.")
        case .expMissing: (.unauthenticated, "The claim exp is missing.", number)
        case .expNotNumber: (.unauthenticated, "The claim exp is not a number.", number)
        case .expMilliseconds: (.unauthenticated, "The claim exp is in milliseconds.", "Divide by 1000.")
        case .expFar:
            (.unauthenticated, "The token lives longer than is recommended.", "Set exp at most 5 minutes ahead.")
        case .expBeforeIat: (.unauthenticated, "The claim exp is before iat.", "Add the life time to iat.")
        case .iatFuture: (.unauthenticated, "The token was issued in the future.", clock)
        case .iatMissing: (.unauthenticated, "The claim iat is missing.", number)
        case .iatNotNumber: (.unauthenticated, "The claim iat is not a number.", number)
        case .iatMilliseconds: (.unauthenticated, "The claim iat is in milliseconds.", "Divide by 1000.")
        case .notYetValid: (.unauthenticated, "The token is not yet valid (nbf).", clock)
        case .nbfNotNumber: (.unauthenticated, "The claim nbf is not a number.", number)
        case .nbfMilliseconds: (.unauthenticated, "The claim nbf is in milliseconds.", "Divide by 1000.")
        }
    }
}

package import Wire

/// What can be wrong with the claim `cbp` (thales-push-provisioning 2.3).
package enum BindingFault: String, DiagnosisSubject {
    case missing = "CBP_MISSING"
    case form = "CBP_FORM"
    case unknown = "CBP_UNKNOWN"
    case otherDevice = "CBP_OTHER_DEVICE"
    case otherContext = "CBP_OTHER_CONTEXT"
    case spent = "CBP_SPENT"
    case expired = "CBP_EXPIRED"
    case ignored = "CBP_IGNORED"
}

extension BindingFault {
    package var meaning: (kind: RefusalKind, cause: String, cure: String) {
        let again = "Call bindingHash() in the process that logs in, and have a new issuer token made with it."
        return switch self {
        case .missing:
            (
                .unauthenticated, "The issuer token has no cbp, and client binding is mandatory.",
                "Copy the string of bindingHash() into the claim cbp, untouched."
            )
        case .form: (.unauthenticated, "cbp is not a text of printable characters.", "Copy bindingHash() untouched.")
        case .unknown: (.unauthenticated, "cbp is not a value that bindingHash() gave.", again)
        case .otherDevice: (.unauthenticated, "cbp was made on another device.", again)
        case .otherContext:
            (
                .unauthenticated, "cbp was made in the other context: app and extension have values of their own.",
                again
            )
        case .spent: (.unauthenticated, "cbp was used by a login that succeeded.", again)
        case .expired: (.unauthenticated, "cbp is older than five minutes.", again)
        case .ignored: (.warning, "cbp is there, and client binding is off for the issuer.", "It is not looked at.")
        }
    }
}

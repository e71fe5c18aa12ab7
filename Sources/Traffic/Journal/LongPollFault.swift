package import Wire

/// Why a long poll is not begun.
package enum LongPollFault: String, DiagnosisSubject {
    case tooMany = "LONG_POLLS_TOO_MANY"
}

extension LongPollFault {
    package var meaning: (kind: RefusalKind, cause: String, cure: String) {
        switch self {
        case .tooMany:
            (
                .unavailable, "The tenant has 64 long polls open.",
                "End some; a suite that runs in parallel gives each worker a tenant of its own."
            )
        }
    }
}

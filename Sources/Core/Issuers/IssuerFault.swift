import Masking
package import Wire

/// What can go wrong with an issuer that a request names.
package enum IssuerFault: String, DiagnosisSubject {
    case unknown = "ISSUER_UNKNOWN"
    case changed = "ISSUER_CHANGED"
}

extension IssuerFault {
    /// What the code is about, in what way it refuses, and what to do about it.
    package var meaning: (kind: RefusalKind, cause: String, cure: String) {
        switch self {
        case .unknown:
            (
                .unknownIssuer, "The path names an issuer that does not exist.",
                "Register it: PUT /v1/issuers/{issuerId}."
            )
        case .changed:
            (.unavailable, "The issuer was changed each time the request was checked.", "Send the request again.")
        }
    }
}

extension Check {
    /// Whether there is an issuer of the id that was named.
    package static func issuer(_ issuer: Issuer?, named id: String, at place: Place? = nil) -> Check {
        issuer == nil
            ? .failed("issuer", IssuerFault.unknown, at: place, evidence: Masking.excerpt(id, 16)) : .passed("issuer")
    }
}

extension World {
    /// Nil when the issuer is still what the request was checked with, else the check that refuses.
    package func changeCheck(of issuer: Issuer) throws -> Check? {
        try store.record(Issuer.self, issuer.issuerID) == issuer ? nil : .failed("issuer", IssuerFault.changed)
    }
}

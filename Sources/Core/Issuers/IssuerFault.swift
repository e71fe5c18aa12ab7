package import Wire

/// What can go wrong with an issuer while a request is under way.
package enum IssuerFault: String, DiagnosisSubject {
    case changed = "ISSUER_CHANGED"
}

extension IssuerFault {
    /// What the code is about, in what way it refuses, and what to do about it.
    package var meaning: (kind: RefusalKind, cause: String, cure: String) {
        (.unavailable, "The issuer was changed each time the request was checked.", "Send the request again.")
    }
}

extension World {
    /// Nil when the issuer is still what the request was checked with, else the check that refuses.
    package func changeCheck(of issuer: Issuer) throws -> Check? {
        try store.record(Issuer.self, issuer.issuerID) == issuer ? nil : .failed("issuer", IssuerFault.changed)
    }
}

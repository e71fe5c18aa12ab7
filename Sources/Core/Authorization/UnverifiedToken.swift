package import Crypto
package import Wire

/// A signed token taken apart, before anything in it is trusted.
package struct UnverifiedToken: Sendable {
    /// Nil when the form is wrong.
    package let jws: ParsedJWS?
    /// The checks of the form.
    package let checks: [Check]
    /// What the checks' names begin with, for example `issuerTokens[0]`.
    package let field: String

    /// Made of its members.
    package init(_ token: String, field: String, strictness: Strictness) {
        let parsed = JWSParser(acceptsSlips: strictness == .lenient).parse(token, field: field)
        jws = parsed.value
        checks = parsed.checks
        self.field = field
    }

    /// The issuer that the token names.
    package var issuerID: String? { jws?.claims["iss"]?.string }
    /// The key that the token names.
    package var keyID: String? { jws?.kid }
}

/// What can be wrong with the `jti` of a token that is for D1.
package enum TokenIdentifierFault: String, DiagnosisSubject {
    case form = "D1_JTI_FORM"

    /// What the code is about, in what way it refuses, and what to do about it.
    package var meaning: (kind: RefusalKind, cause: String, cure: String) {
        (.unauthenticated, "jti is not a text of 1 to 128 characters.", "Use a new UUID for each token.")
    }
}

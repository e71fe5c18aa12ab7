package import Crypto
package import Wire

/// An issuer token that was read: the proof, given to `login`, that the issuer authenticated its consumer
/// (thales-push-provisioning 2).
package struct IssuerToken: Sendable, Equatable {
    package let issuerID: String
    /// `sub`: one consumer, or several with spaces between.
    package let consumerIDs: [String]
    package let identifier: String?
    /// After this instant the token is refused as expired, so its `jti` need not be remembered.
    package let usableUntil: Instant
    /// The claim `cbp`, as it stands in the token.
    package let binding: JSON?

    /// A token taken apart, before anything in it is trusted.
    package struct Unverified: Sendable {
        package let jws: ParsedJWS?
        /// The checks of the form.
        package let checks: [Check]
        /// What the checks' names begin with, for example `issuerTokens[0]`.
        package let field: String

        package var issuerID: String? { jws?.claims["iss"]?.string }
        package var keyID: String? { jws?.kid }
    }

    package static func parse(_ token: String, field: String, strictness: Strictness) -> Unverified {
        let parsed = JWSParser(acceptsSlips: strictness == .lenient).parse(token, field: field)
        return Unverified(jws: parsed.value, checks: parsed.checks, field: field)
    }

    /// Signature and claims, in the documented order.
    ///
    /// - Parameters:
    ///   - issuer: the one that `iss` names; nil when there is none.
    ///   - keyOwner: an issuer that has the token's `kid`, so that a token with a wrong `iss` is looked at too.
    package static func verify(
        _ token: Unverified,
        issuer: Issuer?,
        keyOwner: Issuer?,
        now: Instant,
        strictness: Strictness
    ) -> Checked<IssuerToken> {
        guard let jws = token.jws else { return Checked(value: nil, checks: token.checks) }
        let verifier = JWSVerifier(
            algorithms: JWSAlgorithm.allCases,
            keys: ((issuer ?? keyOwner)?.keys(for: .issuerToken) ?? []).compactMap { key in
                (try? PublicKey(pem: key.pem)).map { VerificationKey(kid: key.keyID, key: $0) }
            },
            kidPolicy: .required,
            parser: JWSParser(acceptsSlips: strictness == .lenient)
        )
        let checks = token.checks + verifier.verify(jws, field: token.field)
        var rules = IssuerTokenRules(claims: jws.claims, field: token.field, checks: checks)
        let leeway = (issuer ?? keyOwner)?.leeway(of: jws, use: .issuerToken) ?? TimeClaims.usualLeeway
        rules.check(issuer: issuer, now: now, strictness: strictness, leeway: leeway)
        guard let issuer else { return Checked(value: nil, checks: rules.checks) }
        let value = IssuerToken(
            issuerID: issuer.issuerID,
            consumerIDs: rules.consumerIDs,
            identifier: rules.identifier,
            usableUntil: rules.usableUntil ?? now,
            binding: jws.claims["cbp"]
        )
        return Checked(value: value, checks: rules.checks)
    }
}

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
    case identifierForm = "D1_JTI_FORM"
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
            (.unauthenticated, "iss is no issuer that is known.", "Set iss to the issuerId the key is registered with.")
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
                .unauthenticated, "aud is none of the configured values.",
                "Set aud to a value of the issuer's d1.audience."
            )
        case .scopeMissing:
            (.unauthenticated, "The claim scope is missing.", "Set scope to the values agreed at onboarding.")
        case .scopeUnknown:
            (.unauthenticated, "scope holds none of the configured values.", "Use a value of the issuer's d1.scopes.")
        case .scopeIgnored: (.warning, "scope holds a value that is not configured.", "It gives no right here.")
        case .identifierMissing: (.unauthenticated, "The claim jti is missing.", "Use a new UUID for each token.")
        case .identifierForm:
            (.unauthenticated, "jti is no text of 1 to 128 characters.", "Use a new UUID for each token.")
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

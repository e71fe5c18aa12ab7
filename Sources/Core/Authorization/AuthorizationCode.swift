import Crypto
import Masking
package import Wire

/// An authorization code that was read: the issuer backend's word for one request (thales-push-provisioning 1).
package struct AuthorizationCode: Sendable, Equatable {
    /// What the code is for; it decides what `sub` must be.
    package enum Purpose: Sendable {
        /// `sub` is the card reference, the same as in the payload.
        case provisioning
        /// `sub` is the token id; nil when the request named none.
        case lifecycle(tokenID: String?)

        /// The purpose of a code whose `sub` is to be `subject`, told by the shape that token ids have.
        package static func of(subject: String) -> Purpose {
            AuthorizationCodeRules.looksLikeTokenID(subject) ? .lifecycle(tokenID: subject) : .provisioning
        }
    }

    /// The claim `sub`: the card reference, or the token id for a change of the life cycle.
    package let subject: String?
    /// `jti`, when the code has one.
    package let identifier: String?
    /// After this instant the code is refused as expired, so its `jti` need not be remembered.
    package let usableUntil: Instant

    /// Claims and signature of `token`, by the keys the issuer registered for this use.
    ///
    /// - Parameter issuer: nil when the path named none; then only the form is checked.
    package static func verify(
        _ token: String,
        issuer: Issuer?,
        purpose: Purpose,
        now: Instant,
        strictness: Strictness
    ) -> Checked<AuthorizationCode> {
        let parser = JWSParser(acceptsSlips: strictness == .lenient)
        guard let issuer else {
            let parsed = parser.parse(token, field: field)
            return Checked(value: nil, checks: parsed.checks)
        }
        let verifier = JWSVerifier(
            algorithms: IssuerKey.Use.authorizationCode.algorithms,
            keys: issuer.keys(for: .authorizationCode).compactMap(\.verificationKey),
            kidPolicy: strictness == .strict ? .required : .optional,
            parser: parser
        )
        let verified = verifier.verify(token, field: field)
        guard let jws = verified.value else { return Checked(value: nil, checks: verified.checks) }
        var rules = AuthorizationCodeRules(claims: jws.claims, checks: verified.checks)
        rules.check(
            issuerID: issuer.issuerID,
            purpose: purpose,
            now: now,
            strictness: strictness,
            leeway: issuer.leeway(of: jws, use: .authorizationCode)
        )
        let code = AuthorizationCode(
            subject: jws.claims["sub"]?.string,
            identifier: jws.claims["jti"]?.string,
            usableUntil: rules.usableUntil ?? now
        )
        return Checked(value: code, checks: rules.checks)
    }

    /// Whether `sub` is the payload's card reference. Empty when one of the two could not be read.
    package static func subjectChecks(_ code: AuthorizationCode?, card: CardData?) -> [Check] {
        subjectChecks(code, reference: card?.reference)
    }

    /// The same for a reference that is known without a payload.
    package static func subjectChecks(_ code: AuthorizationCode?, reference: String?) -> [Check] {
        guard let subject = code?.subject, let reference else { return [] }
        let name = "\(field).sub"
        if subject.hasSameBytes(as: reference) { return [.passed(name)] }
        if AuthorizationCodeRules.looksLikeTokenID(subject) {
            return [
                .failed(
                    name,
                    AuthorizationCodeFault.subjectIsTokenID,
                    evidence: "sub is a token id; wanted the card reference \(PAN.masked(reference))"
                )
            ]
        }
        return [
            .failed(
                name,
                AuthorizationCodeFault.subjectMismatch,
                evidence: "sub is \(Masking.excerpt(subject, 64)), issuerCardRefId is \(reference)"
            )
        ]
    }

    /// What the checks' names begin with.
    package static let field = "authorizationCode"
}

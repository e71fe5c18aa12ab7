package import Core
import Crypto
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

    /// Signature and claims, in the documented order.
    ///
    /// - Parameters:
    ///   - issuer: the one that `iss` names; nil when there is none.
    ///   - keyOwner: an issuer that has the token's `kid`, so that a token with a wrong `iss` is looked at too.
    package static func verify(
        _ token: UnverifiedToken,
        issuer: Issuer?,
        keyOwner: Issuer?,
        now: Instant,
        strictness: Strictness
    ) -> Checked<IssuerToken> {
        guard let jws = token.jws else { return Checked(value: nil, checks: token.checks) }
        let verifier = JWSVerifier(
            algorithms: IssuerKey.Use.issuerToken.algorithms,
            keys: ((issuer ?? keyOwner)?.keys(for: .issuerToken) ?? []).compactMap(\.verificationKey),
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

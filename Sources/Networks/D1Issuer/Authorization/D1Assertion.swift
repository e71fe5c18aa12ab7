package import Core
import Crypto
import Masking
package import Wire

/// The assertion with which an issuer's backend asks D1 for a bearer (thales-push-provisioning 5.1).
package struct D1Assertion: Sendable, Equatable {
    package let issuerID: String
    let identifier: String?
    let usableUntil: Instant

    /// What the checks' names begin with.
    package static let field = "assertion"
    /// Seconds from now to `exp`, at most.
    static let maximumLife: Int64 = 900

    /// Signature and claims: ES256 only, `kid` mandatory, `iss` and `sub` the issuer.
    ///
    /// - Parameter issuer: the one that `iss` names; nil when there is none.
    package static func verify(
        _ token: UnverifiedToken,
        issuer: Issuer?,
        now: Instant,
        strictness: Strictness
    ) -> Checked<D1Assertion> {
        guard let jws = token.jws else { return Checked(value: nil, checks: token.checks) }
        let verifier = JWSVerifier(
            algorithms: IssuerKey.Use.d1Assertion.algorithms,
            keys: (issuer?.keys(for: .d1Assertion) ?? []).compactMap(\.verificationKey),
            kidPolicy: .required
        )
        var checks = token.checks + verifier.verify(jws, field: token.field)
        guard let issuer else {
            let evidence = token.issuerID.map { Masking.excerpt($0, 40) }
            checks.append(.failed("\(field).iss", D1IssuerFault.assertionIssuer, evidence: evidence))
            return Checked(value: nil, checks: checks)
        }
        checks.append(
            jws.claims["sub"]?.string == issuer.issuerID
                ? .passed("\(field).sub") : .failed("\(field).sub", D1IssuerFault.assertionSubject)
        )
        let leeway = issuer.leeway(of: jws, use: .d1Assertion)
        let times = TimeClaims(
            leeway: leeway,
            requiresIat: strictness != .lenient,
            longLife: .accepted
        )
        checks += times.check(jws.claims, now: now, field: field)
        let until = times.usableUntil(jws.claims) ?? now
        if case .number(let text)? = jws.claims["exp"], let exp = Double(text), exp >= 0, exp < 1e11 {
            if Int64(exp) > now.seconds + maximumLife + leeway {
                let evidence = "\(Int64(exp) - now.seconds) s ahead"
                checks.append(.failed("\(field).exp", D1IssuerFault.assertionLife, evidence: evidence))
            }
        }
        let claim = jws.claims["jti"]
        let identifier = claim?.string.flatMap { (1...128).contains($0.utf8.count) ? $0 : nil }
        if let claim, identifier == nil {
            checks.append(.failed("\(field).jti", TokenIdentifierFault.form, evidence: claim.typeName))
        }
        return Checked(
            value: D1Assertion(issuerID: issuer.issuerID, identifier: identifier, usableUntil: until),
            checks: checks
        )
    }
}

extension D1Assertion {
    var hasIdentifier: Bool { identifier != nil }

    /// What a `jti` that was used by another call, or was not, means.
    package func replayCheck(isSpent: Bool) -> Check {
        let name = "\(D1Assertion.field).jti"
        return isSpent ? .failed(name, AuthorizationCodeFault.replayed) : .passed(name, evidence: "not used before")
    }

    /// Whether the `jti` was used, without using it; empty when there is none.
    package func replayChecks(in view: View) throws -> [Check] {
        guard let identifier else { return [] }
        return [replayCheck(isSpent: try view.isSpent(scope: issuerID, identifier: identifier))]
    }
}

extension World {
    /// A new access token; nil when the assertion's `jti` was used before.
    func giveBearer(for assertion: D1Assertion) throws -> String? {
        if let identifier = assertion.identifier {
            guard try !view.isSpent(scope: assertion.issuerID, identifier: identifier) else { return nil }
            try spend(scope: assertion.issuerID, identifier: identifier, until: assertion.usableUntil)
        }
        try removeStale(D1Bearer.self)
        let token = try unusedSecret(D1Bearer.self)
        let end = now.adding(seconds: D1Bearer.lifeSeconds)
        try store.put(D1Bearer(token: token, issuerID: assertion.issuerID, expiresAt: end))
        return token
    }
}

package import Wire

/// The rules for `exp`, `iat` and `nbf`.
package struct TimeClaims: Sendable {
    /// What happens to a token that lives longer than ``recommendedLife``.
    package enum LongLife: Sendable {
        case accepted
        case warned
        case refused
    }

    /// Seconds by which the clocks may differ where nobody says otherwise.
    package static let usualLeeway: Int64 = 60

    /// Seconds by which the clocks may differ.
    package var leeway: Int64
    /// Whether a missing `iat` is refused.
    package var requiresIat: Bool
    /// Seconds from now to `exp`.
    package var recommendedLife: Int64
    /// What a long life means.
    package var longLife: LongLife

    /// The documented rules.
    package init(
        leeway: Int64 = usualLeeway,
        requiresIat: Bool = true,
        recommendedLife: Int64 = 300,
        longLife: LongLife = .warned
    ) {
        self.leeway = leeway
        self.requiresIat = requiresIat
        self.recommendedLife = recommendedLife
        self.longLife = longLife
    }

    /// The checks of `claims` at `now`, the tenant's time; `field` is what their names begin with.
    package func check(_ claims: JSON, now: Instant, field: String) -> [Check] {
        var checks: [Check] = []
        let exp = read(claims["exp"], .expMissing, .expNotNumber, .expMilliseconds, "exp", field, &checks)
        let iat = read(
            claims["iat"],
            requiresIat ? .iatMissing : nil,
            .iatNotNumber,
            .iatMilliseconds,
            "iat",
            field,
            &checks
        )
        let nbf = read(claims["nbf"], nil, .nbfNotNumber, .nbfMilliseconds, "nbf", field, &checks)
        if let exp { checks.append(checkExp(exp, iat, now, field)) }
        if let iat { checks.append(notFuture(iat, "iat", .iatFuture, now, field)) }
        if let nbf { checks.append(notFuture(nbf, "nbf", .notYetValid, now, field)) }
        return checks
    }

    /// The last instant at which a token with these claims is taken, so that its `jti` must be remembered until then. Nil
    /// without a readable `exp`.
    package func usableUntil(_ claims: JSON) -> Instant? {
        guard case .number(let text)? = claims["exp"], let exp = Double(text), exp >= 0, exp < 1e11 else { return nil }
        // Times are compared in whole seconds, so the last second counts to its end.
        return Instant(seconds: Int64(exp) + leeway).adding(milliseconds: 999)
    }

    private func checkExp(_ exp: Int64, _ iat: Int64?, _ now: Instant, _ field: String) -> Check {
        let name = "\(field).exp"
        let evidence = times("exp", exp, now)
        if exp + leeway < now.seconds { return .failed(name, TimeClaimFault.expired, evidence: evidence) }
        if let iat, exp < iat {
            return .failed(name, TimeClaimFault.expBeforeIat, evidence: "exp \(exp), iat \(iat)")
        }
        // The limit that refuses is the documented one; a warning allows for clocks that differ.
        let limit = recommendedLife + (longLife == .refused ? 0 : leeway)
        guard longLife != .accepted, exp - now.seconds > limit else {
            return .passed(name, evidence: evidence)
        }
        return longLife == .refused
            ? .failed(name, TimeClaimFault.expFar, evidence: evidence)
            : .warning(name, TimeClaimFault.expFar, evidence: evidence)
    }

    private func notFuture(
        _ time: Int64,
        _ claim: String,
        _ fault: TimeClaimFault,
        _ now: Instant,
        _ field: String
    ) -> Check {
        let evidence = times(claim, time, now)
        return time > now.seconds + leeway
            ? .failed("\(field).\(claim)", fault, evidence: evidence) : .passed("\(field).\(claim)", evidence: evidence)
    }

    private func times(_ claim: String, _ time: Int64, _ now: Instant) -> String {
        let written = RFC3339.format(Instant(seconds: time))
        return "server time \(RFC3339.format(now)), \(claim) \(written), leeway \(leeway) s"
    }

    /// The claim in whole seconds. Fractions are allowed by RFC 7519 and cut.
    private func read(
        _ value: JSON?,
        _ missing: TimeClaimFault?,
        _ notNumber: TimeClaimFault,
        _ milliseconds: TimeClaimFault,
        _ claim: String,
        _ field: String,
        _ checks: inout [Check]
    ) -> Int64? {
        let name = "\(field).\(claim)"
        guard let value else {
            if let missing { checks.append(.failed(name, missing)) }
            return nil
        }
        guard case .number(let text) = value, let number = Double(text), number >= 0 else {
            let evidence = value.typeName == "number" ? "a negative number" : "a JSON \(value.typeName)"
            checks.append(.failed(name, notNumber, evidence: evidence))
            return nil
        }
        // Seconds reach this in the year 5138.
        guard number < 1e11 else {
            checks.append(.failed(name, milliseconds, evidence: "\(claim) \(text.prefix(30))"))
            return nil
        }
        return Int64(number)
    }
}

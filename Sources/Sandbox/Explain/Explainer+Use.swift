import Core
import Crypto
import Networks
import Traffic
import Wire

/// What a signed token is for, and what can be said of it when that is not clear.
extension Explainer {
    /// The use that the context names, else those the token can have: by its `kid`, by what only one use's claims hold,
    /// and by its algorithm.
    func uses(of token: UnverifiedToken, _ subject: JWSSubject) -> [IssuerKey.Use] {
        if let use = context.use { return [use] }
        let all = Set(IssuerKey.Use.allCases)
        let issuer = subject.named ?? subject.claimed
        let keys = token.keyID.flatMap { kid in issuer?.verificationKeys.filter { $0.keyID == kid } } ?? []
        let byKey = keys.isEmpty ? all : Set(keys.map(\.use))
        let byClaims = token.jws.map { Explainer.uses($0.claims, issuerID: token.issuerID) } ?? all
        var possible = byKey.intersection(byClaims)
        if possible.isEmpty {
            // Key and claims say different things; one of them is the mistake.
            possible = byKey.union(byClaims)
        } else if let name = token.jws?.algorithm {
            let fitting = possible.filter { use in use.algorithms.contains { $0.rawValue == name } }
            if !fitting.isEmpty { possible = fitting }
        }
        return IssuerKey.Use.allCases.filter(possible.contains)
    }

    private static func uses(_ claims: JSON, issuerID: String?) -> Set<IssuerKey.Use> {
        let all = Set(IssuerKey.Use.allCases)
        var possible = all
        if claims["aud"]?.string.map(TokenRequestor.isAudience) == true {
            possible.formIntersection([.authorizationCode])
        }
        if claims["scope"] != nil || claims["cbp"] != nil { possible.formIntersection([.issuerToken]) }
        if let issuerID, claims["sub"]?.string == issuerID, claims["aud"] == nil {
            possible.formIntersection([.d1Assertion])
        }
        return possible.isEmpty ? all : possible
    }

    /// The checks that every possible use makes, those of the form first.
    func anyUse(
        _ text: String,
        _ claimed: UnverifiedToken,
        _ subject: JWSSubject,
        _ uses: [IssuerKey.Use]
    ) async throws -> [Check] {
        let found = subject.named ?? (context.issuerID == nil ? subject.claimed : nil)
        // The mildest of them: what it refuses, each refuses.
        let judged = uses.map { use in
            found?.strictness(of: text, use: use, tenant: subject.strictness) ?? subject.strictness
        }
        let strictness = [Strictness.lenient, .documented].first(where: judged.contains) ?? .strict
        let token = UnverifiedToken(text, field: "token", strictness: strictness)
        let names = uses.map(\.rawValue).joined(separator: ", ")
        var checks =
            token.checks + [
                .failed("context.use", ExplainFault.useUnclear, evidence: "possible: \(names); context.use settles it")
            ]
        guard let jws = token.jws else {
            return context.issuerID == nil ? checks : checks + [issuer(found, claimed)]
        }
        checks.append(issuer(found, claimed))
        checks += namedIssuerChecks(claimed)
        let ready = found == nil ? subject : try subject.keeping(keyID: context.keyID, uses: uses, context)
        let owner = found == nil ? nil : ready.named ?? ready.claimed
        let keys = uses.flatMap { owner?.keys(for: $0) ?? [] }
        let verified = await services.lane.run { Explainer.signatureChecks(jws, keys, uses, strictness) }
        // Without an issuer it is not news that there are no keys.
        checks += found == nil ? verified.filter { $0.code != JWTFault.noKeys.code } : verified
        return checks + Explainer.timeChecks(jws, keys, uses, strictness, subject.now) + contextChecks(claimed, nil)
    }

    private func issuer(_ found: Issuer?, _ claimed: UnverifiedToken) -> Check {
        issuerCheck(found, claimed) { Explainer.check($0, named: $1) }
    }

    private static func signatureChecks(
        _ jws: ParsedJWS,
        _ keys: [IssuerKey],
        _ uses: [IssuerKey.Use],
        _ strictness: Strictness
    ) -> [Check] {
        let verifier = JWSVerifier(
            algorithms: JWSAlgorithm.allCases.filter { algorithm in uses.contains { $0.algorithms.contains(algorithm) }
            },
            keys: keys.compactMap { key in
                (try? PublicKey(pem: key.pem)).map { VerificationKey(kid: key.keyID, key: $0) }
            },
            // Only an authorization code may do without.
            kidPolicy: uses.contains(.authorizationCode) && strictness != .strict ? .optional : .required,
            parser: JWSParser(acceptsSlips: strictness == .lenient)
        )
        return verifier.verify(jws, field: "token")
    }

    private static func timeChecks(
        _ jws: ParsedJWS,
        _ keys: [IssuerKey],
        _ uses: [IssuerKey.Use],
        _ strictness: Strictness,
        _ now: Instant
    ) -> [Check] {
        let leeways = keys.filter { $0.keyID == jws.kid }.map { $0.leewaySeconds ?? TimeClaims.usualLeeway }
        let times = TimeClaims(
            leeway: leeways.max() ?? TimeClaims.usualLeeway,
            requiresIat: strictness != .lenient,
            longLife: uses.contains(.d1Assertion) ? .accepted : strictness == .strict ? .refused : .warned
        )
        return times.check(jws.claims, now: now, field: "token")
    }
}

extension IssuerKey.Use {
    /// What its verifier accepts.
    fileprivate var algorithms: [JWSAlgorithm] {
        switch self {
        case .authorizationCode: [.rs256]
        case .issuerToken: JWSAlgorithm.allCases
        case .d1Assertion: [.es256]
        }
    }
}

import Core
import Crypto
import Networks
import Traffic
import Wire

/// What a signed token is for, and what can be said of it when that is not clear.
extension TokenExplanation {
    /// The use that the context names, else those the token can have: by its `kid`, by what only one use's claims hold,
    /// and by its algorithm.
    func possibleUses(of token: UnverifiedToken, _ subject: SignedTokenSubject) -> [SignedTokenUse] {
        if let use = context.use { return uses.filter { $0.use == use } }
        let all = Set(uses.map(\.use))
        let issuer = subject.named ?? subject.claimed
        let keys = token.keyID.flatMap { kid in issuer?.verificationKeys.filter { $0.keyID == kid } } ?? []
        let byKey = keys.isEmpty ? all : all.intersection(keys.map(\.use))
        let byClaims = token.jws.map { meantUses($0.claims, issuerID: token.issuerID) } ?? all
        var possible = byKey.intersection(byClaims)
        if possible.isEmpty {
            // Key and claims say different things; one of them is the mistake.
            possible = byKey.union(byClaims)
        } else if let name = token.jws?.algorithm {
            let fitting = uses.filter { use in
                possible.contains(use.use) && use.algorithms.contains { $0.rawValue == name }
            }
            if !fitting.isEmpty { possible = Set(fitting.map(\.use)) }
        }
        return uses.filter { possible.contains($0.use) }
    }

    /// All uses, unless the claims can be of one only.
    private func meantUses(_ claims: JSON, issuerID: String?) -> Set<IssuerKey.Use> {
        let meant = uses.filter { $0.isMeant(claims, issuerID) }
        return Set((meant.count == 1 ? meant : uses).map(\.use))
    }

    /// The checks that every possible use makes, those of the form first.
    func anyUse(
        _ text: String,
        _ claimed: UnverifiedToken,
        _ subject: SignedTokenSubject,
        _ possible: [SignedTokenUse]
    ) async throws -> [Check] {
        let uses = possible.map(\.use)
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
            return context.issuerID == nil ? checks : checks + [explainer.issuerCheck(found, claimed)]
        }
        checks.append(explainer.issuerCheck(found, claimed))
        checks += explainer.namedIssuerChecks(claimed)
        let ready = found == nil ? subject : try subject.keeping(keyID: context.keyID, uses: uses, context)
        let owner = found == nil ? nil : ready.named ?? ready.claimed
        let keys = uses.flatMap { owner?.keys(for: $0) ?? [] }
        let verified = await explainer.services.lane.run { Self.signatureChecks(jws, keys, possible, strictness) }
        // Without an issuer it is not news that there are no keys.
        checks += found == nil ? verified.filter { $0.code != JWTFault.noKeys.code } : verified
        return checks + Self.timeChecks(jws, keys, possible, strictness, subject.now) + contextChecks(claimed, nil)
    }

    private static func signatureChecks(
        _ jws: ParsedJWS,
        _ keys: [IssuerKey],
        _ uses: [SignedTokenUse],
        _ strictness: Strictness
    ) -> [Check] {
        let verifier = JWSVerifier(
            algorithms: JWSAlgorithm.allCases.filter { algorithm in uses.contains { $0.algorithms.contains(algorithm) }
            },
            keys: keys.compactMap { key in
                (try? PublicKey(pem: key.pem)).map { VerificationKey(kid: key.keyID, key: $0) }
            },
            kidPolicy: uses.contains(where: \.mayLackKeyID) && strictness != .strict ? .optional : .required,
            parser: JWSParser(acceptsSlips: strictness == .lenient)
        )
        return verifier.verify(jws, field: "token")
    }

    private static func timeChecks(
        _ jws: ParsedJWS,
        _ keys: [IssuerKey],
        _ uses: [SignedTokenUse],
        _ strictness: Strictness,
        _ now: Instant
    ) -> [Check] {
        let leeways = keys.filter { $0.keyID == jws.kid }.map { $0.leewaySeconds ?? TimeClaims.usualLeeway }
        let times = TimeClaims(
            leeway: leeways.max() ?? TimeClaims.usualLeeway,
            requiresIat: strictness != .lenient,
            longLife: uses.contains(where: \.mayLiveLong) ? .accepted : strictness == .strict ? .refused : .warned
        )
        return times.check(jws.claims, now: now, field: "token")
    }
}

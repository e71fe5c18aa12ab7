import Core
import Crypto
import Masking
import Networks
import Traffic
import Wire

/// A signed token: an authorization code, an issuer token or an assertion for D1's token endpoint.
extension Explainer {
    func jws(_ text: String) async throws -> [Check] {
        // What is read here is used to find keys; nothing in it is trusted.
        let claimed = UnverifiedToken(text, field: "token", strictness: .lenient)
        let (named, claimedID, keyID) = (context.issuerID, claimed.issuerID, claimed.keyID)
        let subject = try await services.worlds.read(tenant) { view in
            JWSSubject(
                named: try named.flatMap { try view.store.record(Issuer.self, $0) },
                claimed: try claimedID.flatMap { try view.store.record(Issuer.self, $0) },
                keyOwner: try keyID.flatMap { try view.issuer(holding: $0, for: .issuerToken) },
                now: view.now,
                strictness: view.tenant.settings.strictness
            )
        }
        let uses = uses(of: claimed, subject)
        guard uses.count == 1, let use = uses.first else { return try await anyUse(text, claimed, subject, uses) }
        let ready = try subject.keeping(keyID: context.keyID, uses: uses, context)
        let checks =
            switch use {
            case .authorizationCode: try await authorizationCode(text, claimed, ready)
            case .issuerToken: try await issuerToken(text, claimed, ready)
            case .d1Assertion: try await assertion(text, claimed, ready)
            }
        return checks + contextChecks(claimed, use)
    }

    private func authorizationCode(
        _ text: String,
        _ claimed: UnverifiedToken,
        _ subject: JWSSubject
    ) async throws -> [Check] {
        let issuer = subject.named ?? (context.issuerID == nil ? subject.claimed : nil)
        var checks = [issuerCheck(issuer, claimed) { Explainer.check($0, named: $1) }]
        let wanted = context.subject
        let network = context.network
        let purpose: AuthorizationCode.Purpose
        if let wanted {
            let isToken = try await services.worlds.read(tenant) { try $0.store.record(Token.self, wanted) != nil }
            purpose = isToken ? .lifecycle(tokenID: wanted) : .of(subject: wanted)
        } else {
            purpose = .provisioning
        }
        let strictness = issuer?.strictness(of: text, use: .authorizationCode, tenant: subject.strictness)
        let verified = await services.lane.run {
            AuthorizationCode.verify(
                text,
                issuer: issuer,
                purpose: purpose,
                now: subject.now,
                strictness: strictness ?? subject.strictness
            )
        }
        checks += verified.checks
        if case .provisioning = purpose {
            checks += AuthorizationCode.subjectChecks(verified.value, reference: wanted)
        }
        guard let issuer else { return checks }
        return checks
            + (try await services.worlds.read(tenant) { view in
                var found =
                    try verified.value.map {
                        try view.replayChecks(issuerID: issuer.issuerID, code: $0)
                    } ?? []
                if case .lifecycle(let tokenID?) = purpose {
                    found.append(try view.token(tokenID, issuerID: issuer.issuerID, network: network).check)
                }
                return found
            })
    }

    private func issuerToken(
        _ text: String,
        _ claimed: UnverifiedToken,
        _ subject: JWSSubject
    ) async throws -> [Check] {
        let field = "issuerTokens[0]"
        let issuer = subject.claimed
        let strictness =
            issuer?.strictness(of: text, use: .issuerToken, tenant: subject.strictness) ?? subject.strictness
        let token = UnverifiedToken(text, field: field, strictness: strictness)
        let keyOwner = issuer == nil ? subject.named ?? subject.keyOwner : nil
        let verified = await services.lane.run {
            IssuerToken.verify(token, issuer: issuer, keyOwner: keyOwner, now: subject.now, strictness: strictness)
        }
        let checks = lookUpChecks(issuer, claimed) + verified.checks
        guard let value = verified.value else { return checks }
        return checks
            + (try await services.worlds.read(tenant) { view in try view.loginChecks([(field, value)], nil) })
    }

    private func assertion(
        _ text: String,
        _ claimed: UnverifiedToken,
        _ subject: JWSSubject
    ) async throws -> [Check] {
        let issuer = subject.claimed
        let strictness =
            issuer?.strictness(of: text, use: .d1Assertion, tenant: subject.strictness) ?? subject.strictness
        let token = UnverifiedToken(text, field: D1Assertion.field, strictness: strictness)
        let verified = await services.lane.run {
            D1Assertion.verify(token, issuer: issuer, now: subject.now, strictness: strictness)
        }
        let checks = lookUpChecks(issuer, claimed) + verified.checks
        guard let value = verified.value else { return checks }
        return checks + (try await services.worlds.read(tenant) { try value.replayChecks(in: $0) })
    }

    /// D1 has no issuer but the token's own; the context can only agree or not.
    private func lookUpChecks(_ issuer: Issuer?, _ claimed: UnverifiedToken) -> [Check] {
        if context.issuerID == nil {
            return issuer == nil ? [] : [issuerCheck(issuer, claimed) { Explainer.check($0, named: $1) }]
        }
        return namedIssuerChecks(claimed)
    }

    /// Whether the token's `iss` is the issuer that the context names.
    func namedIssuerChecks(_ claimed: UnverifiedToken) -> [Check] {
        guard let named = context.issuerID, let found = claimed.issuerID, found != named else { return [] }
        let evidence = "iss is \(Masking.excerpt(found, 40)), issuerId is \(Masking.excerpt(named, 40))"
        return [.failed("context.issuerId", ExplainFault.issuerDiffers, evidence: evidence)]
    }

    /// Whose keys are used, and who said so.
    func issuerCheck(
        _ issuer: Issuer?,
        _ claimed: UnverifiedToken,
        _ check: (Issuer?, String) -> Check
    ) -> Check {
        if let named = context.issuerID { return check(issuer, named) }
        guard let id = claimed.issuerID else {
            let evidence = "no issuerId in the context, and no iss that can be read in the token"
            return .failed("issuer", TPCFault.issuerUnknown, evidence: evidence)
        }
        guard issuer != nil else { return check(nil, id) }
        return .passed("issuer", evidence: "the token's own iss, \(id), used to look up the keys and for no more")
    }

    /// What the context says of `sub` and `aud` and no verifier looks at.
    ///
    /// - Parameter use: nil when it is not known.
    func contextChecks(_ claimed: UnverifiedToken, _ use: IssuerKey.Use?) -> [Check] {
        guard let claims = claimed.jws?.claims else { return [] }
        var checks: [Check] = []
        // The subject of an authorization code has a verifier of its own.
        if let wanted = context.subject, use != .authorizationCode {
            let found = claims["sub"]?.string ?? "absent"
            let all = use != .d1Assertion ? found.split(separator: " ").map(String.init) : [found]
            checks.append(
                all.contains(wanted)
                    ? .passed("context.sub")
                    : .failed(
                        "context.sub",
                        ExplainFault.subjectDiffers,
                        evidence: "sub is \(Masking.excerpt(found, 64)), wanted \(Masking.excerpt(wanted, 64))"
                    )
            )
        }
        if let wanted = context.audience {
            let found = claims["aud"]?.string.map { [$0] } ?? claims["aud"]?.array?.compactMap(\.string) ?? []
            let seen =
                found.isEmpty ? "absent" : found.prefix(4).map { Masking.excerpt($0, 80) }.joined(separator: ", ")
            checks.append(
                found.contains(wanted)
                    ? .passed("context.aud")
                    : .failed(
                        "context.aud",
                        ExplainFault.audienceDiffers,
                        evidence: "aud is \(seen), wanted \(Masking.excerpt(wanted, 80))"
                    )
            )
        }
        return checks
    }
}

/// Who may have signed.
struct JWSSubject: Sendable {
    /// The issuer that the context names.
    var named: Issuer?
    /// The issuer that the token's `iss` names.
    var claimed: Issuer?
    /// The issuer that has the token's `kid` for D1's login.
    var keyOwner: Issuer?
    let now: Instant
    let strictness: Strictness

    /// The same with only the keys of that name for the uses.
    ///
    /// - Throws: ``Refusal`` when there is none.
    func keeping(keyID: String?, uses: [IssuerKey.Use], _ context: ExplainContext) throws -> JWSSubject {
        guard let keyID else { return self }
        var kept = self
        var known: Set<String> = []
        func filtered(_ issuer: Issuer?) -> Issuer? {
            guard var issuer else { return nil }
            known.formUnion(uses.flatMap { issuer.keys(for: $0) }.compactMap(\.keyID))
            issuer.verificationKeys.removeAll { uses.contains($0.use) && $0.keyID != keyID }
            return issuer
        }
        kept.named = filtered(named)
        kept.claimed = filtered(claimed)
        kept.keyOwner = filtered(keyOwner)
        guard known.contains(keyID) else { throw context.keyUnknown(known.sorted()) }
        return kept
    }
}

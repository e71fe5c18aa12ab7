import Core
import Crypto
import Wire

/// What is explained by the steps with which the operations verify it.
enum TPCExplanations {
    /// A card payload.
    static let payload = Explanation("pkcs7") { text, explainer in
        let context = explainer.context
        let (id, builtIn) = (context.issuerID, explainer.services.keyring.payloadRecipients)
        let found = try await explainer.read { view in
            (
                issuer: try id.flatMap { try view.store.record(Issuer.self, $0) },
                recipients: try view.payloadRecipients(builtIn), strictness: view.tenant.settings.strictness,
                now: view.now
            )
        }
        var recipients = found.recipients
        if let keyID = context.keyID {
            recipients = recipients.filter { $0.keyId == keyID }
            if recipients.isEmpty { throw context.keyUnknown(found.recipients.map(\.keyId)) }
        }
        var checks = id.map { [Check.issuer(found.issuer, named: $0)] } ?? []
        let rules = explainer.rules(
            found.issuer?.strictness(tenant: found.strictness) ?? found.strictness,
            now: found.now
        )
        let opened = try await explainer.services.lane.run { [recipients, network = context.network] in
            try PayloadOpener.open(text, recipients: recipients, network: network, rules: rules, explains: true)
        }
        checks += opened.checks
        if let card = opened.value, let issuer = found.issuer {
            checks += try await explainer.read { view in
                try view.provisioningChecks(issuerID: issuer.issuerID, card: card, code: nil)
            }
        }
        return checks
    }

    /// An authorization code.
    static let authorizationCode: SignedTokenUse = {
        var use = SignedTokenUse(
            .authorizationCode,
            signing: SignedTokenUse.Signing(
                name: "authorization-code",
                file: "authorization",
                keySuffix: "-auth-1",
                audience: { _, _ in TokenRequestor.appleAudience }
            ),
            isMeant: { claims, _ in claims["aud"]?.string.map(TokenRequestor.isAudience) == true },
            checks: checks
        )
        use.mayLackKeyID = true
        use.subject = .verified
        return use
    }()

    private static func checks(
        _ text: String,
        _ claimed: UnverifiedToken,
        _ subject: SignedTokenSubject,
        _ explainer: Explainer
    ) async throws -> [Check] {
        let context = explainer.context
        let issuer = subject.named ?? (context.issuerID == nil ? subject.claimed : nil)
        var checks = [explainer.issuerCheck(issuer, claimed)]
        let (wanted, network) = (context.subject, context.network)
        let purpose: AuthorizationCode.Purpose
        if let wanted {
            let isToken = try await explainer.read { try $0.store.record(Token.self, wanted) != nil }
            purpose = isToken ? .lifecycle(tokenID: wanted) : .of(subject: wanted)
        } else {
            purpose = .provisioning
        }
        let strictness = issuer?.strictness(of: text, use: .authorizationCode, tenant: subject.strictness)
        let verified = await explainer.services.lane.run {
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
            + (try await explainer.read { view in
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
}

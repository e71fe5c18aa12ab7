import Core
import Crypto
import Masking
import Wire

extension EncryptedCard {
    /// Opens what issuers encrypt to D1.
    static let key = FaceKey("d1/encryption", .p256)

    /// The key by its published name.
    static func recipients(_ services: Services) -> [JWERecipient] {
        services.key(key).map { [JWERecipient(kid: "D1-ENC-1", key: $0)] } ?? []
    }

    /// `encryptedData`, as the issuer API opens it.
    static let explanation = Explanation("jwe") { text, explainer in
        let context = explainer.context
        let (id, known) = (context.issuerID, recipients(explainer.services))
        let found = try await explainer.read { view in
            (
                issuer: try id.flatMap { try view.store.record(Issuer.self, $0) },
                strictness: view.tenant.settings.strictness
            )
        }
        let recipients = known.filter { context.keyID == nil || $0.kid == context.keyID }
        if recipients.isEmpty { throw context.keyUnknown(known.map(\.kid)) }
        var checks: [Check] = []
        if let id {
            checks.append(
                found.issuer == nil
                    ? .failed("issuer", D1IssuerFault.issuerUnknown, evidence: Masking.excerpt(id, 16))
                    : .passed("issuer")
            )
        }
        let rules = explainer.rules(found.issuer?.strictness(tenant: found.strictness) ?? found.strictness)
        let opened = try await explainer.services.lane.run { [network = context.network] in
            try EncryptedCard.open(text, recipients: recipients, rules: rules, network: network)
        }
        return checks + opened.checks
    }
}

import Core
import Crypto
import Masking
import Networks
import Traffic
import Wire

extension Explainer {
    /// A card payload, as the TPC face opens it.
    func payload(_ text: String) async throws -> [Check] {
        let (id, builtIn) = (context.issuerID, services.keyring.payloadRecipients)
        let found = try await services.worlds.read(tenant) { view in
            (
                issuer: try id.flatMap { try view.store.record(Issuer.self, $0) },
                recipients: try view.payloadRecipients(builtIn), strictness: view.tenant.settings.strictness
            )
        }
        var recipients = found.recipients
        if let keyID = context.keyID {
            recipients = recipients.filter { $0.keyId == keyID }
            if recipients.isEmpty { throw context.keyUnknown(found.recipients.map(\.keyId)) }
        }
        var checks = id.map { [Explainer.check(found.issuer, named: $0)] } ?? []
        let rules = rules(found.issuer?.strictness(tenant: found.strictness) ?? found.strictness)
        let (keys, network) = (recipients, context.network)
        let opened = try await services.lane.run {
            try PayloadOpener.open(text, recipients: keys, network: network, rules: rules, explains: true)
        }
        checks += opened.checks
        if let card = opened.value, let issuer = found.issuer {
            checks += try await services.worlds.read(tenant) { view in
                try view.provisioningChecks(issuerID: issuer.issuerID, card: card, code: nil)
            }
        }
        return checks
    }

    /// `encryptedData`, as D1's issuer API opens it.
    func jwe(_ text: String) async throws -> [Check] {
        let (id, known) = (context.issuerID, services.keyring.d1Recipients)
        let found = try await services.worlds.read(tenant) { view in
            (
                issuer: try id.flatMap { try view.store.record(Issuer.self, $0) },
                strictness: view.tenant.settings.strictness
            )
        }
        var recipients = known
        if let keyID = context.keyID {
            recipients = recipients.filter { $0.kid == keyID }
            if recipients.isEmpty { throw context.keyUnknown(known.map(\.kid)) }
        }
        var checks: [Check] = []
        if let id {
            checks.append(
                found.issuer == nil
                    ? .failed("issuer", D1IssuerFault.issuerUnknown, evidence: Masking.excerpt(id, 16))
                    : .passed("issuer")
            )
        }
        let rules = rules(found.issuer?.strictness(tenant: found.strictness) ?? found.strictness)
        let (keys, network) = (recipients, context.network)
        let opened = try await services.lane.run {
            try EncryptedCard.open(text, recipients: keys, rules: rules, network: network)
        }
        return checks + opened.checks
    }
}

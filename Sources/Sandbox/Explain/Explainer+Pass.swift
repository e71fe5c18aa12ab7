import Core
import Crypto
import Networks
import Traffic
import Wire

extension Explainer {
    /// Pass data for a provisioning session, as the wallet opens it.
    func pass(_ value: JSON) async throws -> [Check] {
        guard let sessionID = context.sessionID else { throw context.fields.missing("sessionId") }
        if let id = context.issuerID {
            let isKnown = try await services.vault.read(tenant) { try $0.store.record(Issuer.self, id) != nil }
            if !isKnown { throw context.fields.invalid("issuerId", "an issuer that exists") }
        }
        let explanation = PassExplanation(services: services, tenant: tenant)
        return try await explanation.checks(value, sessionID: sessionID, issuerID: context.issuerID)
    }

    /// Activation data by itself, as the wallet holds it against card, nonce and issuer.
    func activationData(_ text: String) async throws -> [Check] {
        let subject = try await activationSubject()
        let read = ActivationDataField.read(text, strictness: subject.tenantStrictness)
        guard let bytes = read.value else { return read.checks }
        return read.checks
            + (await services.lane.run { [tavKey = services.keyring.tavKey] in
                ActivationData.verify(bytes, subject.context, tshKey: tavKey.publicKey)
            })
    }

    private struct ActivationSubject: Sendable {
        let context: ActivationDataContext
        let tenantStrictness: Strictness
    }

    private func activationSubject() async throws -> ActivationSubject {
        let (sessionID, issuerID, pan) = (context.sessionID, context.issuerID, context.pan)
        let found = try await services.vault.read(tenant) { view in
            (
                session: try sessionID.flatMap { try view.store.record(ProvisioningSession.self, $0) },
                named: try issuerID.flatMap { try view.store.record(Issuer.self, $0) },
                owner: try pan.flatMap { try view.owner(of: $0).map(\.issuer) }, now: view.now,
                strictness: view.tenant.settings.strictness
            )
        }
        let fields = context.fields
        if sessionID != nil, found.session == nil {
            throw fields.refusal("sessionId", explain: .sessionUnknown)
        }
        guard let network = context.network ?? found.session?.network else { throw fields.missing("network") }
        if issuerID != nil, found.named == nil { throw fields.invalid("issuerId", "an issuer that exists") }
        // Visa's value holds neither number nor expiry, and only Mastercard's holds an expiry.
        guard let number = pan ?? (network == .visa ? PAN(Explainer.unread) : nil) else { throw fields.missing("pan") }
        guard let expiry = context.expiry ?? (network == .mastercard ? nil : CardExpiry(month: 1, year: 2_000)) else {
            throw fields.missing("exp")
        }
        if let pan {
            let wrong = rules(found.strictness).checks(of: pan, network: network, subject: "context.pan")
            if let check = wrong.first(where: { !$0.passed }) { throw fields.refusal("pan", check) }
        }
        guard let issuer = try found.named ?? owner(found.owner) else {
            throw fields.refusal("issuerId", explain: .issuerUnclear)
        }
        let nonce = context.nonce ?? found.session?.nonce
        let subject = ActivationDataContext(
            network: network,
            pan: number,
            expiry: expiry,
            nonce: nonce ?? [],
            // Without a nonce the value is for a pass that exists, where one over the number alone is good too.
            allowsMissingNonce: nonce == nil,
            tokenID: nil,
            networkKeys: issuer.networkKeys,
            now: found.now,
            strictness: issuer.strictness(tenant: found.strictness)
        )
        return ActivationSubject(context: subject, tenantStrictness: found.strictness)
    }

    /// The issuer of the number, if a single one owns it.
    private func owner(_ found: Result<Issuer, IssuerResolutionFault>?) throws(Refusal) -> Issuer? {
        guard case .failure(.ambiguous(let issuers))? = found else { return try? found?.get() }
        let evidence = "the number is of \(issuers.joined(separator: ", "))"
        throw context.fields.refusal("issuerId", explain: .issuerUnclear, evidence: evidence)
    }

    /// Stands where a number is wanted and none is looked at.
    private static let unread = "000000000000"
}

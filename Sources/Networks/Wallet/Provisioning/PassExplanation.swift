import Core
import Crypto
import Traffic
import Web
import Wire

/// What `provisioning-sessions/{sessionId}/pass` finds in a body, told without making anything. The request would end at its
/// first mistake; here each part is looked at that can be without the others.
struct PassExplanation: Sendable {
    /// Pass data for a provisioning session: `encryptedPassData`, `ephemeralPublicKey` and, when it is there,
    /// `activationData`.
    static let explanation = Explanation(ofObjects: "pass") { value, explainer in
        let context = explainer.context
        guard let sessionID = context.sessionID else { throw context.missing("sessionId") }
        let named = try await explainer.read { view in
            try context.issuerID.flatMap { try view.store.record(Issuer.self, $0) }
        }
        if context.issuerID != nil, named == nil { throw context.invalid("issuerId", "an issuer that exists") }
        let verification = PassVerification(services: explainer.services, tenant: explainer.tenant)
        return try await PassExplanation(verification: verification).checks(value, sessionID, named: named)
    }

    private let verification: PassVerification

    /// - Parameter named: whose keys are taken where the card number leads to no issuer.
    private func checks(_ value: JSON, _ sessionID: String, named: Issuer?) async throws -> [Check] {
        let looked = try await verification.look(sessionID)
        var exchange = Exchange(
            requestID: "explain",
            tenant: verification.tenant,
            settings: looked.settings,
            face: WalletFace().name,
            operation: PassIssuanceHandler.operation,
            request: HTTPRequest(method: .post, target: "/", body: value.bytes)
        )
        exchange.note(looked.checks)
        let request = PassRequest(&exchange)
        let hasActivationData = value["activationData"].map { !$0.isNull } ?? false
        if !hasActivationData {
            exchange.checks.removeAll { $0.code == WalletField.activationData.code(.missing) }
        }
        let sealed = request.passData
        guard let session = looked.session, let device = looked.device, !sealed.encryptedPassData.isEmpty,
            !sealed.ephemeralPublicKey.isEmpty,
            let content = try await verification.open(sealed, session, device, &exchange)
        else { return exchange.checks }
        guard hasActivationData, !request.activationData.isEmpty else { return exchange.checks }
        let issuer: Issuer
        switch try await verification.owner(of: content) {
        case .success(let owner): issuer = owner
        case .failure(let fault):
            exchange.note(fault.check)
            guard let named else { return exchange.checks }
            issuer = named
        }
        let made = await verification.verify(request.activationData, of: content, session, issuer: issuer, looked)
        let refuses = issuer.policies.onBadActivationData == .refuse
        return exchange.checks + (refuses ? made : made.map(\.asRemark))
    }
}

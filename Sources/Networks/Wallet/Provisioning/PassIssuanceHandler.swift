import Core
import Traffic
import Web
import Wire

/// `provisioning-sessions/{sessionId}/pass`: Apple's broker and the network behind it.
///
/// Opens the pass data with the device's key, holds it against the session, has the activation data verified, and
/// asks for a decision.
struct PassIssuanceHandler: Sendable {
    static let operation = "wallet.createPass"

    let services: Services

    var endpoints: [any RoutedEndpoint] {
        let path = WalletFace.basePath + "/provisioning-sessions/{sessionId}/pass"
        return [Endpoint(Route(Self.operation, .post, path, .sandbox, decides: true), handler: create)]
    }

    func create(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let verification = PassVerification(services: services, tenant: exchange.tenant)
        let looked = try await verification.look(exchange.parameters["sessionId"])
        if let tokenID = looked.session?.tokenID { throw ProvisioningMessage.usedSession(tokenID, &exchange) }
        exchange.note(looked.checks)
        guard let session = looked.session, let device = looked.device, !exchange.isRefused else { throw Refusal() }
        let request = PassRequest(&exchange)
        try exchange.refuseIfFailed()
        guard request.termsAccepted else {
            try await services.decide(&exchange) { world -> Checked<Void> in
                var ended = session
                ended.isRefused = true
                try world.store.put(ended)
                return Checked(value: (), checks: [])
            }
            throw exchange.refusal(.failed("terms", WalletFault.termsRefused, at: WalletField.termsAccepted.place))
        }
        guard let content = try await verification.open(request.passData, session, device, &exchange),
            !exchange.isRefused
        else { throw Refusal() }
        exchange.subject.note(content.pan)
        let issuer: Issuer
        switch try await verification.owner(of: content) {
        case .success(let owner): issuer = owner
        case .failure(let fault): throw exchange.refusal(fault.check)
        }
        exchange.subject.note(issuerID: issuer.issuerID)
        let checks = await verification.verify(request.activationData, of: content, session, issuer: issuer, looked)
        let provisioning = ProvisioningRequest(
            deviceID: device.deviceID,
            sessionID: session.sessionID,
            network: session.network,
            pan: content.pan,
            expiry: content.expiry,
            holderName: content.holderName,
            activationData: checks.contains { !$0.passed } ? .refused : .verified,
            issuer: issuer,
            forced: exchange.orders.decision,
            answer: exchange.answers[IssuerAnswer.approval]
        )
        // The number may have another owner by now, so the issuer is compared where the owner is looked for.
        let result = try await services.decide(&exchange) { world in
            Checked(value: try world.provision(provisioning), checks: [])
        }
        // Whether a bad value refuses the request is part of the decision, so it is told after it. A value that the
        // issuer's policy or a rule before the default one overlooks is a remark.
        let refuses = result.refusesActivationData && issuer.policies.onBadActivationData == .refuse
        exchange.note(refuses ? checks : checks.map(\.asRemark))
        return try ProvisioningMessage.response(result, &exchange)
    }
}

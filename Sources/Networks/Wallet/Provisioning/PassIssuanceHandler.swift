import Core
import Crypto
import Traffic
import Web
import Wire

/// `provisioning-sessions/{sessionId}/pass`: Apple's broker and the network behind it.
///
/// Opens the pass data with the device's key, holds it against the session, has the activation data verified, and
/// asks for a decision.
struct PassIssuanceHandler: Sendable {
    let services: Services

    var endpoints: [any RoutedEndpoint] {
        let path = WalletFace.basePath + "/provisioning-sessions/{sessionId}/pass"
        return [Endpoint(Route("wallet.createPass", .post, path, .sandbox, decides: true), handler: create)]
    }

    func create(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let subject = try await subject(&exchange)
        let request = PassRequest(&exchange)
        try exchange.refuseIfFailed()
        guard request.termsAccepted else {
            throw exchange.refusal(.failed("terms", WalletFault.termsRefused, at: WalletField.termsAccepted.place))
        }
        guard let content = try await open(request, subject, &exchange) else { throw Refusal() }
        exchange.subject.note(content.pan)
        let (checks, issuer) = try await activationData(request, content, subject, &exchange)
        let isRefused = checks.contains { !$0.passed }
        let provisioning = ProvisioningRequest(
            deviceID: subject.device.deviceID,
            sessionID: subject.session.sessionID,
            network: subject.session.network,
            pan: content.pan,
            expiry: content.expiry,
            holderName: content.holderName,
            activationData: isRefused ? .refused : .verified,
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

    private struct Subject: Sendable {
        let session: ProvisioningSession
        let device: Device
        let now: Instant
    }

    /// The session and its device.
    ///
    /// - Throws: ``Refusal`` for a session that is unknown, used or too old.
    private func subject(_ exchange: inout Exchange) async throws -> Subject {
        let sessionID = exchange.parameters["sessionId"]
        let looked = try await services.worlds.read(exchange.tenant) { view in
            let session = try view.store.record(ProvisioningSession.self, sessionID)
            let device = try session.flatMap { try view.store.record(Device.self, $0.deviceID) }
            return (session: session, device: device, now: view.now)
        }
        guard let session = looked.session else {
            throw exchange.refusal(.failed("session", WalletFault.sessionUnknown, at: .path("sessionId")))
        }
        guard let device = looked.device else {
            throw exchange.refusal(.failed("device", DeviceFault.unknown, evidence: session.deviceID))
        }
        let found = Subject(session: session, device: device, now: looked.now)
        if let tokenID = found.session.tokenID { throw ProvisioningMessage.usedSession(tokenID, &exchange) }
        let age = found.now.seconds(since: found.session.createdAt)
        guard found.now <= found.session.expiresAt else {
            throw exchange.refusal(.failed("session.age", WalletFault.sessionExpired, evidence: "\(Int(age)) s"))
        }
        if age > Double(ProvisioningSession.callbackSeconds) {
            exchange.note(.warning("session.age", WalletFault.sessionSlow, evidence: "\(Int(age)) s"))
        }
        return found
    }

    /// The card in the pass data, nil when it does not open or does not fit the session.
    private func open(
        _ request: PassRequest,
        _ subject: Subject,
        _ exchange: inout Exchange
    ) async throws -> PassDataContent? {
        let rules = CardNumberRules.beforeIssuer(services.worlds.environment.panPolicy)
        let first = try await services.lane.run {
            try PassDataOpening.open(request.passData, device: subject.device)
        }
        guard let plaintext = first.value else {
            // Only a failure is worth the search among the other devices' keys.
            let others = try await services.worlds.read(exchange.tenant) { view in
                try view.store.records(Device.self).filter { $0.deviceID != subject.device.deviceID }
            }
            exchange.note(
                try await services.lane.run {
                    try PassDataOpening.diagnose(
                        request.passData,
                        device: subject.device,
                        others: others,
                        application: subject.session.application
                    )
                }
                .at(WalletField.encryptedPassData.place)
            )
            return nil
        }
        exchange.note(first.checks.at(WalletField.encryptedPassData.place))
        let content = exchange.take(
            PassDataReader.read(plaintext.bytes, session: subject.session, rules: rules)
                .at(WalletField.encryptedPassData.place)
        )
        if let content {
            try await judgeCheckDigit(of: content.pan, &exchange)
            try await notice(replay: content, subject, &exchange)
        }
        return exchange.failures.isEmpty ? content : nil
    }

    /// Only a wrong check digit is worth asking the store whose number it is.
    private func judgeCheckDigit(of pan: PAN, _ exchange: inout Exchange) async throws {
        if pan.isLuhnValid { return }
        let strictness = exchange.settings.strictness
        let check = try await services.worlds.read(exchange.tenant) { view in
            try view.checkDigitCheck(of: pan, tenant: strictness, subject: "passData.pan")
        }
        if let check { exchange.note(check.at(WalletField.encryptedPassData.place)) }
    }

    /// Says so when a wrong nonce is one that another session was given.
    private func notice(
        replay content: PassDataContent?,
        _ subject: Subject,
        _ exchange: inout Exchange
    ) async throws {
        guard let nonce = content?.nonce, nonce != subject.session.nonce else { return }
        let session = subject.session
        let replay = try await services.worlds.read(exchange.tenant) { view in
            try view.replayCheck(ofNonce: nonce, in: session)
        }
        guard let replay else { return }
        // The replay says more than the mismatch it is also.
        exchange.checks.removeAll { $0.code == PassContentFault.nonceMismatch.code }
        exchange.note(replay.at(WalletField.encryptedPassData.place))
    }

    /// The checks of the activation data, and the issuer whose keys they were made with.
    private func activationData(
        _ request: PassRequest,
        _ content: PassDataContent,
        _ subject: Subject,
        _ exchange: inout Exchange
    ) async throws -> ([Check], Issuer) {
        let owner = try await services.worlds.read(exchange.tenant) { view in
            try view.owner(of: content.pan).map(\.issuer)
        }
        let issuer: Issuer
        switch owner {
        case .success(let found):
            issuer = found
            exchange.subject.note(issuerID: found.issuerID)
        case .failure(let fault): throw exchange.refusal(fault.check)
        }
        let context = ActivationDataContext(
            network: subject.session.network,
            pan: content.pan,
            expiry: content.expiry,
            nonce: subject.session.nonce,
            allowsMissingNonce: false,
            tokenID: nil,
            networkKeys: issuer.networkKeys,
            now: subject.now,
            strictness: issuer.policies.strictness ?? exchange.settings.strictness
        )
        let checks = await services.lane.run { [tavKey = services.keyring.tavKey] in
            ActivationData.verify(request.activationData, context, tshKey: tavKey.publicKey)
        }.at(WalletField.activationData.place)
        return (checks, issuer)
    }
}

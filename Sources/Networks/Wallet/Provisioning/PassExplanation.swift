package import Core
import Crypto
import Traffic
import Web
package import Wire

/// What `provisioning-sessions/{sessionId}/pass` finds in a body, told without making anything.
///
/// The request would end at its first mistake; here each part is looked at that can be without the others.
package struct PassExplanation: Sendable {
    private let services: Services
    private let tenant: TenantName

    package init(services: Services, tenant: TenantName) {
        self.services = services
        self.tenant = tenant
    }

    /// The checks of `encryptedPassData`, `ephemeralPublicKey` and, when it is there, `activationData`.
    ///
    /// - Parameters:
    ///   - value: an object with these members.
    ///   - sessionID: its device opens the pass data, and its nonce must be inside.
    ///   - issuerID: whose keys are taken where the card number leads to no issuer.
    package func checks(_ value: JSON, sessionID: String, issuerID: String?) async throws -> [Check] {
        let looked = try await look(sessionID)
        var exchange = Exchange(
            requestID: "explain",
            tenant: tenant,
            settings: looked.settings,
            face: WalletFace().name,
            operation: "wallet.createPass",
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
            let content = try await open(sealed, session, device, &exchange)
        else { return exchange.checks }
        guard hasActivationData, !request.activationData.isEmpty else { return exchange.checks }
        try await verify(request.activationData, of: content, session, issuerID: issuerID, &exchange)
        return exchange.checks
    }

    private struct Looked: Sendable {
        let session: ProvisioningSession?
        let device: Device?
        let settings: Tenant.Settings
        let checks: [Check]
    }

    /// The session, whatever its state: one that is used or too old still has a key and a nonce.
    private func look(_ sessionID: String) async throws -> Looked {
        try await services.worlds.read(tenant) { view in
            let settings = view.tenant.settings
            guard let session = try view.store.record(ProvisioningSession.self, sessionID) else {
                let check = Check.failed("session", WalletFault.sessionUnknown)
                return Looked(session: nil, device: nil, settings: settings, checks: [check])
            }
            var checks: [Check] = []
            if let tokenID = session.tokenID {
                checks.append(
                    .failed("session.unused", WalletFault.sessionUsed, evidence: "it made \(tokenID)")
                )
            }
            let age = view.now.seconds(since: session.createdAt)
            if view.now > session.expiresAt {
                checks.append(.failed("session.age", WalletFault.sessionExpired, evidence: "\(Int(age)) s"))
            } else if age > Double(ProvisioningSession.callbackSeconds) {
                checks.append(.warning("session.age", WalletFault.sessionSlow, evidence: "\(Int(age)) s"))
            }
            let device = try view.store.record(Device.self, session.deviceID)
            if device == nil { checks.append(.failed("device", DeviceFault.unknown, evidence: session.deviceID)) }
            return Looked(session: session, device: device, settings: settings, checks: checks)
        }
    }

    private func open(
        _ sealed: SealedPassData,
        _ session: ProvisioningSession,
        _ device: Device,
        _ exchange: inout Exchange
    ) async throws -> PassDataContent? {
        let first = try await services.lane.run { try PassDataOpening.open(sealed, device: device) }
        guard let plaintext = first.value else {
            let others = try await services.worlds.read(tenant) { view in
                try view.store.records(Device.self).filter { $0.deviceID != device.deviceID }
            }
            exchange.note(
                try await services.lane.run {
                    try PassDataOpening.diagnose(
                        sealed,
                        device: device,
                        others: others,
                        application: session.application
                    )
                }
                .at(WalletField.encryptedPassData.place)
            )
            return nil
        }
        exchange.note(first.checks.at(WalletField.encryptedPassData.place))
        let rules = CardNumberRules.beforeIssuer(services.worlds.environment.panPolicy)
        let content = exchange.take(
            PassDataReader.read(plaintext.bytes, session: session, rules: rules).at(WalletField.encryptedPassData.place)
        )
        guard let content else { return nil }
        let strictness = exchange.settings.strictness
        let (replay, digit) = try await services.worlds.read(tenant) { view in
            (
                try view.replayCheck(ofNonce: content.nonce, in: session),
                try view.checkDigitCheck(of: content.pan, tenant: strictness, subject: "passData.pan")
            )
        }
        if let digit { exchange.note(digit) }
        if let replay {
            exchange.checks.removeAll { $0.code == PassContentFault.nonceMismatch.code }
            exchange.note(replay)
        }
        return content
    }

    private func verify(
        _ bytes: [UInt8],
        of content: PassDataContent,
        _ session: ProvisioningSession,
        issuerID: String?,
        _ exchange: inout Exchange
    ) async throws {
        let found = try await services.worlds.read(tenant) { view in
            (
                owner: try view.owner(of: content.pan).map(\.issuer),
                named: try issuerID.flatMap { try view.store.record(Issuer.self, $0) }, now: view.now
            )
        }
        let issuer: Issuer
        switch found.owner {
        case .success(let owner): issuer = owner
        case .failure(let fault):
            exchange.note(fault.check)
            guard let named = found.named else { return }
            issuer = named
        }
        let context = ActivationDataContext(
            network: session.network,
            pan: content.pan,
            expiry: content.expiry,
            nonce: session.nonce,
            allowsMissingNonce: false,
            tokenID: nil,
            networkKeys: issuer.networkKeys,
            now: found.now,
            strictness: issuer.strictness(tenant: exchange.settings.strictness)
        )
        let checks = await services.lane.run { [tavKey = services.keyring.tavKey] in
            ActivationData.verify(bytes, context, tshKey: tavKey.publicKey)
        }.at(WalletField.activationData.place)
        let refuses = issuer.policies.onBadActivationData == .refuse
        exchange.note(refuses ? checks : checks.map(\.asRemark))
    }
}

import Core
import Crypto
import Traffic
import Wire

/// How `provisioning-sessions/{sessionId}/pass` verifies what it is given: the session, the pass data with the device's key,
/// the activation data with the issuer's. `explain` takes the same steps.
struct PassVerification: Sendable {
    let services: Services
    let tenant: TenantName

    struct Looked: Sendable {
        let session: ProvisioningSession?
        let device: Device?
        let settings: Tenant.Settings
        let now: Instant
        /// What is wrong with the session. One that is used or too old still has a key and a nonce.
        let checks: [Check]
    }

    func look(_ sessionID: String) async throws -> Looked {
        try await services.worlds.read(tenant) { view in
            let session = try view.store.record(ProvisioningSession.self, sessionID)
            let device = try session.flatMap { try view.store.record(Device.self, $0.deviceID) }
            return Looked(
                session: session,
                device: device,
                settings: view.tenant.settings,
                now: view.now,
                checks: PassVerification.checks(of: session, device, now: view.now)
            )
        }
    }

    private static func checks(of session: ProvisioningSession?, _ device: Device?, now: Instant) -> [Check] {
        guard let session else { return [.failed("session", WalletFault.sessionUnknown, at: .path("sessionId"))] }
        var checks: [Check] = []
        if device == nil { checks.append(.failed("device", DeviceFault.unknown, evidence: session.deviceID)) }
        if let tokenID = session.tokenID {
            checks.append(.failed("session.unused", WalletFault.sessionUsed, evidence: "it made \(tokenID)"))
        }
        if session.isRefused {
            checks.append(.failed("session.unused", WalletFault.sessionUsed, evidence: "its terms were refused"))
        }
        let age = now.seconds(since: session.createdAt)
        if now > session.expiresAt {
            checks.append(.failed("session.age", WalletFault.sessionExpired, evidence: "\(Int(age)) s"))
        } else if age > Double(ProvisioningSession.callbackSeconds) {
            checks.append(.warning("session.age", WalletFault.sessionSlow, evidence: "\(Int(age)) s"))
        }
        return checks
    }

    /// The card in the pass data; nil when it does not open or cannot be read. Every check is noted; one that failed may
    /// stand beside a card.
    func open(
        _ sealed: SealedPassData,
        _ session: ProvisioningSession,
        _ device: Device,
        _ exchange: inout Exchange
    ) async throws -> PassDataContent? {
        let place = WalletField.encryptedPassData.place
        let first = try await services.lane.run { try PassDataOpening.open(sealed, device: device) }
        guard let plaintext = first.value else {
            // Only a failure is worth the search among the other devices' keys.
            let others = try await services.worlds.read(tenant) { view in
                try view.store.records(Device.self).filter { $0.deviceID != device.deviceID }
            }
            let application = session.application
            let diagnosis = try await services.lane.run {
                try PassDataOpening.diagnose(sealed, device: device, others: others, application: application)
            }
            exchange.note(diagnosis.at(place))
            return nil
        }
        exchange.note(first.checks.at(place))
        let rules = CardNumberRules.beforeIssuer(services.worlds.environment.panPolicy)
        guard
            let content = exchange.take(
                PassDataReader.read(plaintext.bytes, session: session, rules: rules).at(place)
            )
        else { return nil }
        // Both are asked only of what is wrong: whose number it is, and which session the nonce was given to.
        if content.pan.isLuhnValid, content.nonce == session.nonce { return content }
        let strictness = exchange.settings.strictness
        let (replay, digit) = try await services.worlds.read(tenant) { view in
            (
                content.nonce == session.nonce ? nil : try view.replayCheck(ofNonce: content.nonce, in: session),
                content.pan.isLuhnValid
                    ? nil : try view.checkDigitCheck(of: content.pan, tenant: strictness, subject: "passData.pan")
            )
        }
        if let digit { exchange.note(digit.at(place)) }
        if let replay {
            // The replay says more than the mismatch it is also, and is the cause of what comes after it.
            exchange.replace(PassContentFault.nonceMismatch, with: replay.at(place))
        }
        return content
    }

    /// The issuer that owns the card's number.
    func owner(of content: PassDataContent) async throws -> Result<Issuer, IssuerResolutionFault> {
        try await services.worlds.read(tenant) { view in try view.owner(of: content.pan).map(\.issuer) }
    }

    /// The checks of activation data for the card.
    func verify(
        _ activationData: [UInt8],
        of content: PassDataContent,
        _ session: ProvisioningSession,
        issuer: Issuer,
        _ looked: Looked
    ) async -> [Check] {
        let context = ActivationDataContext(
            network: session.network,
            pan: content.pan,
            expiry: content.expiry,
            nonce: session.nonce,
            allowsMissingNonce: false,
            tokenID: nil,
            networkKeys: issuer.networkKeys,
            now: looked.now,
            strictness: issuer.strictness(tenant: looked.settings.strictness)
        )
        let checks = await services.lane.run { [tavKey = services.keyring.tavKey] in
            ActivationData.verify(activationData, context, tshKey: tavKey.publicKey)
        }
        return checks.at(WalletField.activationData.place)
    }
}

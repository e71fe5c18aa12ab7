import Wire

/// A pass as PassKit shows it to an application, with the token and the card behind it.
package struct PassView: Sendable, Equatable {
    /// Whoever changes the token has the pass in its new state.
    package var token: Token
    /// The card behind it.
    package let card: Card
    /// What the owner of the device calls it.
    package let deviceName: String
    /// The pass is on a device paired with the one that was asked.
    package let isRemote: Bool
    private let pass: Pass
    private let propagationMilliseconds: Int64
    private let now: Instant

    init(token: Token, pass: Pass, card: Card, device: Device, isRemote: Bool, in view: View) {
        self.token = token
        self.pass = pass
        self.card = card
        deviceName = device.name
        self.isRemote = isRemote
        propagationMilliseconds = view.tenant.settings.walletPropagationMilliseconds
        now = view.now
    }

    /// As PassKit shows it.
    package var serialNumber: String { pass.serialNumber }
    /// The nonce of the session that it was made in; empty for one that was made otherwise.
    package var sessionNonce: [UInt8] { pass.sessionNonce }
    /// What the issuer had said of its passes when this one was made.
    package var metadata: PassMetadata { pass.metadata }

    /// Ways to activate it; empty when it waits for nothing.
    package var activationMethods: [ActivationMethod] {
        token.state == .inactive ? ActivationMethod.all(card: card, metadata: metadata) : []
    }

    /// `passActivationState` in words. A token that has just become active shows `activating` for a while.
    package var activationState: String {
        switch token.state {
        case .inactive: "requiresActivation"
        case .suspended: "suspended"
        case .deleted: "deactivated"
        case .active:
            propagationMilliseconds > 0 && token.activeSince ?? now > now.adding(milliseconds: -propagationMilliseconds)
                ? "activating" : "activated"
        }
    }
}

extension View {
    /// The token's pass on the device that holds it; nil for a token without a pass.
    ///
    /// - Parameter card: what the pass shows; by default the token's own.
    package func pass(
        of token: Token,
        card: Card? = nil,
        on device: Device,
        isRemote: Bool = false
    ) throws -> PassView? {
        guard let pass = try store.record(Pass.self, token.tokenID),
            let card = try card ?? store.record(Card.self, token.cardRecordID)
        else { return nil }
        return PassView(token: token, pass: pass, card: card, device: device, isRemote: isRemote, in: self)
    }

    /// The live pass of a serial number on the device.
    package func pass(serialNumber: String, on device: Device) throws -> PassView? {
        for pass in try store.records(Pass.self, "serial", serialNumber) {
            guard let token = try store.record(Token.self, pass.tokenID), token.deviceID == device.deviceID,
                token.state != .deleted, let card = try store.record(Card.self, token.cardRecordID)
            else { continue }
            return PassView(token: token, pass: pass, card: card, device: device, isRemote: false, in: self)
        }
        return nil
    }

    /// The live passes of the device.
    package func passes(on device: Device, isRemote: Bool = false) throws -> [PassView] {
        try liveTokens(on: device.deviceID).compactMap { try pass(of: $0, on: device, isRemote: isRemote) }
    }

    /// The card's live pass on the device. Two references of one number are one card to the wallet.
    package func livePass(of card: Card, on device: Device) throws -> PassView? {
        for token in try liveTokens(on: device.deviceID) where token.issuerID == card.issuerID {
            if token.cardRecordID != card.recordID {
                let other = try store.record(Card.self, token.cardRecordID)
                guard other?.primaryAccountIdentifier == card.primaryAccountIdentifier else { continue }
            }
            if let pass = try pass(of: token, card: card, on: device) { return pass }
        }
        return nil
    }
}

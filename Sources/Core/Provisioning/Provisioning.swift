package import Wire

/// A card that is about to become a token on a device, whichever way it came.
package struct ProvisioningRequest: Sendable {
    package let deviceID: String
    /// Nil for manual entry.
    package let sessionID: String?
    package let network: PaymentNetwork
    package let pan: PAN
    package let expiry: CardExpiry
    package let holderName: String
    package let activationData: ActivationDataOutcome
    /// The issuer whose keys the activation data was checked with; nil when none was checked.
    package let issuer: Issuer?

    package init(
        deviceID: String,
        sessionID: String?,
        network: PaymentNetwork,
        pan: PAN,
        expiry: CardExpiry,
        holderName: String,
        activationData: ActivationDataOutcome,
        issuer: Issuer? = nil
    ) {
        self.deviceID = deviceID
        self.sessionID = sessionID
        self.network = network
        self.pan = pan
        self.expiry = expiry
        self.holderName = holderName
        self.activationData = activationData
        self.issuer = issuer
    }
}

/// What became of a ``ProvisioningRequest``.
package enum ProvisioningOutcome: Sendable {
    case made(PassView, Decision, [Check])
    /// The card was there; the session is spent all the same.
    case alreadyThere(PassView, [Check])
    /// Nothing was changed.
    case refused([Check])
    /// The session was used in the meantime, and ended in this token.
    case sessionUsed(tokenID: String)
    case deviceGone
    case sessionGone
    /// The issuer was changed between the check and the decision.
    case issuerChanged
}

extension World {
    /// Decides, and makes token and pass when the decision allows it. Nothing is changed otherwise.
    package func provision(_ request: ProvisioningRequest) throws -> ProvisioningOutcome {
        guard let device = try store.record(Device.self, request.deviceID) else { return .deviceGone }
        var session = try request.sessionID.flatMap { try store.record(ProvisioningSession.self, $0) }
        if request.sessionID != nil, session == nil { return .sessionGone }
        if let tokenID = session?.tokenID { return .sessionUsed(tokenID: tokenID) }

        let issuer: Issuer
        let known: Card?
        switch try view.owner(of: request.pan) {
        case .success(let owner): (issuer, known) = owner
        case .failure(let fault): return .refused([fault.check])
        }
        if let checked = request.issuer, checked != issuer { return .issuerChanged }
        // A card that is there already is no new token, and no decision is asked for.
        if let known, let token = try view.liveToken(of: known, on: device.deviceID) {
            session?.tokenID = token.tokenID
            if let session { try store.put(session) }
            let check = Check.passed("pass.present", evidence: "the card is already there")
            return .alreadyThere(pass(token, known, device), [check])
        }
        let (decision, check) =
            DecisionRules(
                cardState: known?.state ?? .active,
                expiries: [request.expiry] + (known.map { [$0.expiry] } ?? []),
                activationData: request.activationData,
                onBadActivationData: issuer.policies.onBadActivationData,
                now: now
            ).decision
        guard decision != .red else { return .refused([check]) }

        let card = try card(for: request, known: known, issuerID: issuer.issuerID)
        let token = try issueToken(
            of: card,
            on: device,
            state: decision == .green ? .active : .inactive,
            sessionNonce: session?.nonce ?? []
        )
        session?.tokenID = token.tokenID
        if let session { try store.put(session) }
        return .made(pass(token, card, device), decision, [check])
    }

    /// The registered card, or a new one: cards appear by use.
    ///
    /// Pass data is the issuer's word and brings the card up to date; what a cardholder types does not.
    private func card(for request: ProvisioningRequest, known: Card?, issuerID: String) throws -> Card {
        if let known, request.sessionID == nil { return known }
        let reference = known?.reference ?? "auto-" + Hex.encode(tenant.draws.bytes(8))
        let data = CardData(
            reference: reference,
            pan: request.pan,
            expiry: request.expiry,
            holderName: request.holderName
        )
        return try register(data, issuerID: issuerID)
    }

    /// The pass as seen on its own device.
    package func pass(_ token: Token, _ card: Card, _ device: Device) -> PassView {
        PassView(token: token, card: card, device: device, isRemote: false, tenant: tenant, now: now)
    }
}

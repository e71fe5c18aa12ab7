package import Wire

/// A card that is about to become a token on a device, whichever way it came.
package struct ProvisioningRequest: Sendable {
    /// The id of its device.
    package let deviceID: String
    /// Nil for manual entry.
    package let sessionID: String?
    /// The network of card and token.
    package let network: PaymentNetwork
    /// The number of the card; never printed whole.
    package let pan: PAN
    /// The month in which the card ends.
    package let expiry: CardExpiry
    /// The cardholder's name as it was sent.
    package let holderName: String
    /// What came of the activation data.
    package let activationData: ActivationDataOutcome
    /// The issuer whose keys the activation data was checked with; nil when none was checked.
    package let issuer: Issuer?
    /// The decision that a test ordered.
    package let forced: ForcedDecision?
    /// The issuer's own; nil when it was not asked.
    package let answer: IssuerAnswer?

    /// What the wallet has read and verified.
    package init(
        deviceID: String,
        sessionID: String?,
        network: PaymentNetwork,
        pan: PAN,
        expiry: CardExpiry,
        holderName: String,
        activationData: ActivationDataOutcome,
        issuer: Issuer? = nil,
        forced: ForcedDecision? = nil,
        answer: IssuerAnswer? = nil
    ) {
        self.deviceID = deviceID
        self.sessionID = sessionID
        self.network = network
        self.pan = pan
        self.expiry = expiry
        self.holderName = holderName
        self.activationData = activationData
        self.issuer = issuer
        self.forced = forced
        self.answer = answer
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

/// The outcome, and how it was decided.
package struct ProvisioningResult: Sendable {
    /// What was decided, and made.
    package let outcome: ProvisioningOutcome
    /// Nil when no decision was asked for: the card was there, or the request was refused before.
    package let ruling: Ruling?

    init(_ outcome: ProvisioningOutcome, _ ruling: Ruling? = nil) {
        self.outcome = outcome
        self.ruling = ruling
    }

    /// Whether bad activation data counts against the request: not when a decision of another rule overtook it, and
    /// not when the card has its pass.
    package var refusesActivationData: Bool {
        switch outcome {
        case .made, .alreadyThere: false
        default: ruling.map { $0.rule == .standard } ?? true
        }
    }
}

extension World {
    /// Decides, and makes token and pass when the decision allows it. Nothing is changed otherwise.
    package func provision(_ request: ProvisioningRequest) throws -> ProvisioningResult {
        guard let device = try store.record(Device.self, request.deviceID) else {
            return ProvisioningResult(.deviceGone)
        }
        var session = try request.sessionID.flatMap { try store.record(ProvisioningSession.self, $0) }
        if request.sessionID != nil, session == nil { return ProvisioningResult(.sessionGone) }
        if let tokenID = session?.tokenID { return ProvisioningResult(.sessionUsed(tokenID: tokenID)) }

        let issuer: Issuer
        let known: Card?
        switch try view.owner(of: request.pan) {
        case .success(let owner): (issuer, known) = owner
        case .failure(let fault): return ProvisioningResult(.refused([fault.check]))
        }
        if let checked = request.issuer, checked != issuer { return ProvisioningResult(.issuerChanged) }
        // A card that is there already does not make a new token, and no decision is asked for.
        if let known, let pass = try view.livePass(of: known, on: device) {
            session?.tokenID = pass.token.tokenID
            if let session { try store.put(session) }
            let check = Check.passed("pass.present", evidence: "the card is already there")
            return ProvisioningResult(.alreadyThere(pass, [check]))
        }
        if device.isLost { return ProvisioningResult(.refused([.failed("device.lostMode", DeviceFault.lost)])) }

        let ruling = try ruling(on: request, known: known, issuer: issuer)
        guard ruling.decision != .red else { return ProvisioningResult(.refused([ruling.check]), ruling) }
        let card = try card(for: request, known: known, issuerID: issuer.issuerID)
        let pass = try issuePass(
            of: card,
            on: device,
            state: ruling.decision == .green ? .active : .inactive,
            sessionNonce: session?.nonce ?? []
        )
        session?.tokenID = pass.token.tokenID
        if let session { try store.put(session) }
        if let scenario = ruling.scenario { try plan(scenario, for: pass.token) }
        return ProvisioningResult(.made(pass, ruling.decision, [ruling.check]), ruling)
    }

    private func ruling(on request: ProvisioningRequest, known: Card?, issuer: Issuer) throws -> Ruling {
        let state = try known.map { try view.state(of: $0, number: request.pan) } ?? .active
        let scenario = tenant.settings.magicData ? Scenario(request.expiry) : nil
        return Ruling(forced: request.forced, scenario: scenario, answer: request.answer) {
            DecisionRules(
                cardState: state,
                expiries: expiries(of: request, known: known),
                activationData: request.activationData,
                onBadActivationData: issuer.policies.onBadActivationData,
                now: now
            ).decision
        }
    }

    /// The expiries that must not be over: pass data is the issuer's word and replaces the registered one, what a cardholder
    /// types does not.
    private func expiries(of request: ProvisioningRequest, known: Card?) -> [CardExpiry] {
        guard let known, request.sessionID == nil else { return [request.expiry] }
        return [request.expiry, known.expiry]
    }

    /// Plans what the scenario wants of the token and its card later.
    private func plan(_ scenario: Scenario, for token: Token) throws {
        let first = now.adding(seconds: Scenario.stepSeconds)
        if !scenario.tokenEvents.isEmpty {
            try plan(.changeToken(token.tokenID, scenario.tokenEvents, reason: scenario.reason), at: first)
        }
        if scenario.replacesCard { try plan(.replaceCard(token.cardRecordID), at: first) }
    }

    /// The registered card, or a new one: cards appear by use.
    ///
    /// Pass data is the issuer's word and brings the card up to date; what a cardholder types does not.
    private func card(for request: ProvisioningRequest, known: Card?, issuerID: String) throws -> Card {
        if let known, request.sessionID == nil { return known }
        let reference =
            try known?.reference
            ?? unused({ "auto-" + Hex.encode($0.bytes(8)) }) { reference in
                try CardReference.holdsCardNumber(reference)
                    || !store.records(Card.self, "reference", reference).isEmpty
            }
        let data = CardData(
            reference: reference,
            pan: request.pan,
            expiry: request.expiry,
            holderName: request.holderName
        )
        return try register(data, issuerID: issuerID)
    }
}

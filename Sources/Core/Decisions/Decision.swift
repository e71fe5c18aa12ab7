package import Wire

/// What the network decides about a new token.
package enum Decision: String, Sendable, CaseIterable {
    /// Active at once.
    case green
    /// Made, and waits for activation.
    case yellow
    /// No token.
    case red
}

/// What became of the activation data of a request.
package enum ActivationDataOutcome: Sendable, Equatable {
    case notOffered
    case verified
    case refused
}

/// Why a decision was red.
package enum DecisionFault: String, DiagnosisSubject {
    case cardBlocked = "CARD_BLOCKED"
    case cardClosed = "CARD_CLOSED"
    case cardExpired = "CARD_EXPIRED"
    case badActivationData = "ACTIVATION_DATA_REFUSED"
    case forced = "DECISION_FORCED_RED"
    case notEligible = "CARD_NOT_ELIGIBLE"
    case issuerDeclined = "ISSUER_DECLINED"
    case networkUnavailable = "NETWORK_UNAVAILABLE"
}

extension DecisionFault {
    /// What the code is about, in what way it refuses, and what to do about it.
    package var meaning: (kind: RefusalKind, cause: String, cure: String) {
        switch self {
        case .cardBlocked:
            (
                .declined, "The issuer blocked the card.",
                "Unblock it: POST /v1/cards/{issuerCardRefId}/events {\"event\":\"unblock\"}."
            )
        case .cardClosed: (.declined, "The card is closed.", "Use another card; a closed one stays closed.")
        case .cardExpired:
            (.declined, "The card's expiry is over at the tenant's time.", "Renew the card, or correct the expiry.")
        case .badActivationData:
            (
                .activation, "The activation data was checked and refused, and the issuer's policy is to refuse.",
                "Correct the activation data, or set the policy onBadActivationData to yellow."
            )
        case .forced:
            (
                .declined, "A fault ordered the decision red (the sandbox's own).",
                "The evidence has the reason that the fault gave; remove the fault to go on."
            )
        case .notEligible:
            (
                .declined, "The network takes no such card: magic data, expiry year 2043 (the sandbox's own).",
                "Use another expiry year, see GET /v1/scenarios."
            )
        case .issuerDeclined:
            (
                .declined, "The issuer declined: magic data, expiry year 2044 (the sandbox's own).",
                "Use another expiry year, see GET /v1/scenarios."
            )
        case .networkUnavailable:
            (
                .unavailable, "The network cannot be reached: magic data, expiry year 2046 (the sandbox's own).",
                "Nothing was made and the session is not spent; use another expiry year, see GET /v1/scenarios."
            )
        }
    }
}

/// The default decision, once no fault, no magic data and no issuer's own answer has spoken (CONTRACT, section 1).
package struct DecisionRules: Sendable {
    /// What the issuer says of the card.
    package let cardState: Card.State
    /// The expiry in the request, and the registered card's when the card is known.
    package let expiries: [CardExpiry]
    /// What came of the activation data.
    package let activationData: ActivationDataOutcome
    /// What the issuer wants for activation data that is wrong.
    package let onBadActivationData: IssuerPolicies.BadActivationData
    /// The tenant's time.
    package let now: Instant

    /// All that the default rules look at.
    package init(
        cardState: Card.State,
        expiries: [CardExpiry],
        activationData: ActivationDataOutcome,
        onBadActivationData: IssuerPolicies.BadActivationData,
        now: Instant
    ) {
        self.cardState = cardState
        self.expiries = expiries
        self.activationData = activationData
        self.onBadActivationData = onBadActivationData
        self.now = now
    }

    /// The decision, and the check that says why.
    package var decision: (Decision, Check) {
        switch cardState {
        case .blocked: return red(.cardBlocked)
        case .closed: return red(.cardClosed)
        case .active: break
        }
        if let over = expiries.first(where: { $0.isOver(at: now) }) {
            return red(.cardExpired, evidence: "expiry \(over.mmyy), and it is \(RFC3339.format(now))")
        }
        switch (activationData, onBadActivationData) {
        case (.verified, _): return (.green, .passed("decision", evidence: "green: activation data verified"))
        case (.notOffered, _): return (.yellow, .passed("decision", evidence: "yellow: no activation data"))
        case (.refused, .yellow): return (.yellow, .passed("decision", evidence: "yellow: policy onBadActivationData"))
        case (.refused, .refuse): return red(.badActivationData)
        }
    }

    private func red(_ fault: DecisionFault, evidence: String? = nil) -> (Decision, Check) {
        (.red, .failed("decision", fault, evidence: evidence ?? "red"))
    }
}

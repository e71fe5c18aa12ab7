package import Wire

/// What an issuer asks to be done with a registered card, and the reasons that go with it (thales-push-provisioning 5.3).
package enum CardOperation: String, Sendable, CaseIterable {
    case suspend
    case resume
    case delete
    case renew
    case replace

    /// Why an issuer suspends or ends a card.
    package enum Reason: String, Sendable, CaseIterable {
        case cardLost = "CARD_LOST"
        case cardStolen = "CARD_STOLEN"
        case cardBroken = "CARD_BROKEN"
        case cardFound = "CARD_FOUND"
        case fraud = "FRAUD"
        case userDecision = "USER_DECISION"
        case issuerDecision = "ISSUER_DECISION"
        case closedAccount = "CLOSED_ACCOUNT"
        case closedCard = "CLOSED_CARD"
    }

    /// Reasons that the operation takes. The tail of the published list for delete was not seen, and none for renew and
    /// replace: what is plausible is taken (inferred).
    private var reasons: Set<Reason> {
        let trouble: Set<Reason> = [.cardLost, .cardStolen, .cardBroken, .fraud, .userDecision, .issuerDecision]
        return switch self {
        case .suspend, .replace: trouble
        case .resume: [.cardFound, .userDecision, .issuerDecision]
        case .delete: trouble.union([.closedAccount, .closedCard])
        case .renew: [.userDecision, .issuerDecision]
        }
    }

    /// Whether the operation may be done now.
    ///
    /// - Parameter suspendedFor: why the card was suspended, when it was.
    package func check(_ reason: Reason, state: Card.State, suspendedFor: Reason?) -> Check {
        let evidence = "\(rawValue), card \(state.rawValue)"
        switch (self, state) {
        case (_, .closed), (.suspend, .blocked), (.resume, .active):
            return .failed("card.state", CardRegistryFault.stateNotAllowed, evidence: evidence)
        default: break
        }
        let why = "\(reason.rawValue), suspended for \(suspendedFor?.rawValue ?? "no reason given")"
        guard reasons.contains(reason) else {
            return .failed(
                "card.reason",
                CardRegistryFault.reasonNotAllowed,
                evidence: "\(reason.rawValue) for \(rawValue)"
            )
        }
        if self == .resume {
            let isRight =
                switch reason {
                case .cardFound: suspendedFor == .cardLost
                case .userDecision: suspendedFor == .userDecision
                default: true
                }
            if !isRight { return .failed("card.reason", CardRegistryFault.reasonNotAllowed, evidence: why) }
        }
        return .passed("card.operation", evidence: evidence)
    }
}

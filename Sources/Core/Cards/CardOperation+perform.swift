package import Wire

extension View {
    /// Whether a number may take the card's place: renewal keeps it, replacement brings one that was never given up.
    package func replacementChecks(_ operation: CardOperation, _ pan: PAN?, for card: Card) throws -> [Check] {
        guard let pan else { return [] }
        // A token has one network for its whole life.
        if let network = PaymentNetwork(pan: pan.digits), network != card.network {
            let evidence = "the card is \(card.network.scheme), the new number is \(network.scheme)"
            return [.failed("card.pan", CardFault.networkMismatch, evidence: evidence)]
        }
        let isSame = try store.number(of: card.vaultOwner) == pan.digits
        switch operation {
        case .renew where !isSame:
            return [.failed("card.pan", CardRegistryFault.panDiffers, evidence: "ends in \(pan.suffix)")]
        case .replace where isSame:
            return [.failed("card.pan", CardRegistryFault.panDiffers, evidence: "the number is the old one")]
        case .replace where try isRetired(pan, issuerID: card.issuerID):
            return [.failed("card.pan", CardRegistryFault.panRetired, evidence: "ends in \(pan.suffix)")]
        default: return []
        }
    }
}

extension View {
    /// Every token of the card that is not deleted, whatever path made it.
    package func liveTokens(of card: Card) throws -> [Token] {
        // Two references of one number are one card to the network.
        try store.records(Card.self, "primaryAccountIdentifier", card.primaryAccountIdentifier)
            .filter { $0.issuerID == card.issuerID }
            .flatMap { try store.records(Token.self, "card", $0.recordID) }
            .filter { $0.state != .deleted }
    }
}

extension World {
    /// Does what was checked before, and tells of it.
    ///
    /// - Returns: the operation's id.
    package func perform(
        _ operation: CardOperation,
        _ reason: CardOperation.Reason,
        on card: Card,
        replacement: (pan: PAN, expiry: CardExpiry)?
    ) throws -> String {
        let event: CardEvent? =
            switch operation {
            case .suspend: .block
            case .resume: .unblock
            case .delete: .close
            case .renew: .renew(replacement?.expiry)
            case .replace: replacement.map { .replace($0.pan, $0.expiry) }
            }
        let changed = try event.flatMap { try apply($0, to: card) } ?? card
        var details =
            try store.record(CardDetails.self, card.recordID)
            ?? CardDetails(recordID: card.recordID, productID: nil, createdAt: now)
        details.updatedAt = now
        if operation == .suspend { details.suspendedFor = reason }
        if operation == .resume { details.suspendedFor = nil }
        try store.put(details)
        let operationID = Identifiers.operationID(&tenant.draws)
        try tell(.cardChanged(changed, operation, operationID: operationID))
        return operationID
    }
}

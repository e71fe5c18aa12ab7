import Masking
package import Wire

/// A card as an issuer's backend registers it with D1.
package struct D1CardRegistration: Sendable {
    package let cardID: String
    package let consumerID: String
    package let productID: String?
    /// The state of a new card, nil when nothing is said. One that exists keeps its own.
    package let isActive: Bool?
    package let pan: PAN
    package let expiry: CardExpiry
    /// Nil takes the consumer's name.
    package let holderName: String?

    package init(
        cardID: String,
        consumerID: String,
        productID: String?,
        isActive: Bool?,
        pan: PAN,
        expiry: CardExpiry,
        holderName: String?
    ) {
        self.cardID = cardID
        self.consumerID = consumerID
        self.productID = productID
        self.isActive = isActive
        self.pan = pan
        self.expiry = expiry
        self.holderName = holderName
    }
}

extension View {
    /// The issuer's card for D1's API, with what D1 keeps beside it.
    package func d1RegisteredCard(
        issuerID: String,
        cardID: String
    ) throws -> (card: Card, details: D1CardDetails?)? {
        guard let card = try card(issuerID: issuerID, reference: cardID), card.consumerID != nil else { return nil }
        return (card, try store.record(D1CardDetails.self, card.recordID))
    }

    /// True when the issuer's card of this number was deleted or replaced.
    func isRetired(_ pan: PAN, issuerID: String) throws -> Bool {
        try store.owners(ofNumber: pan.digits).contains { owner in
            if owner.kind == World.retiredKind { return owner.id.hasPrefix(issuerID + "/") }
            guard owner.kind == "card", let card = try store.record(Card.self, owner.id) else { return false }
            return card.issuerID == issuerID && card.state == .closed
        }
    }

    /// What the store says about a registration.
    package func checks(of registration: D1CardRegistration, issuerID: String) throws -> [Check] {
        var checks: [Check] = []
        if try consumer(issuerID: issuerID, consumerID: registration.consumerID) == nil {
            checks.append(
                .failed(
                    "consumer",
                    D1RegistryFault.consumerUnknown,
                    evidence: Masking.excerpt(registration.consumerID, 64)
                )
            )
        }
        if try isRetired(registration.pan, issuerID: issuerID) {
            let evidence = "ends in \(registration.pan.suffix)"
            checks.append(.failed("card.pan", D1RegistryFault.panRetired, evidence: evidence))
        }
        guard let known = try card(issuerID: issuerID, reference: registration.cardID), known.state != .closed else {
            return checks
        }
        let number = try store.number(of: known.vaultOwner)
        let isSame = number == registration.pan.digits && [nil, registration.consumerID].contains(known.consumerID)
        if !isSame { checks.append(.failed("card.id", D1RegistryFault.cardIDTaken, evidence: known.reference)) }
        if let wanted = registration.isActive, wanted != (known.state == .active) {
            let evidence = "the card is \(known.state.rawValue)"
            checks.append(.warning("card.state", D1RegistryFault.stateIgnored, evidence: evidence))
        }
        return checks
    }
}

extension World {
    /// Worlds entries of numbers that no card has any more.
    static let retiredKind = "retired"

    /// Remembers that the number may not come back.
    func retire(_ number: String, of card: Card) throws {
        let id = "\(card.recordID)/\(nextSequence())"
        try store.setNumber(number, of: VaultOwner(kind: World.retiredKind, id: id))
    }

    /// Registers the card for its consumer. The checks were made before.
    package func register(_ registration: D1CardRegistration, issuerID: String) throws -> Card {
        if let old = try view.card(issuerID: issuerID, reference: registration.cardID), old.state == .closed {
            if let number = try store.number(of: old.vaultOwner) { try retire(number, of: old) }
            try store.removeNumber(of: old.vaultOwner)
            try store.remove(Card.self, old.recordID)
            try store.remove(D1CardDetails.self, old.recordID)
        }
        let consumer = try view.consumer(issuerID: issuerID, consumerID: registration.consumerID)
        let data = CardData(
            reference: registration.cardID,
            pan: registration.pan,
            expiry: registration.expiry,
            holderName: registration.holderName ?? consumer?.fullName ?? "CARDHOLDER"
        )
        let isNew = try view.card(issuerID: issuerID, reference: registration.cardID) == nil
        var card = try register(data, issuerID: issuerID, consumerID: registration.consumerID)
        card.consumerID = registration.consumerID
        if isNew { card.state = registration.isActive ?? true ? .active : .blocked }
        try store.put(card)
        var details =
            try store.record(D1CardDetails.self, card.recordID)
            ?? D1CardDetails(recordID: card.recordID, productID: nil, createdAt: now)
        details.productID = registration.productID ?? details.productID
        details.updatedAt = now
        try store.put(details)
        return card
    }

    /// Does what was checked before, and queues the notification.
    ///
    /// - Returns: the operation's id.
    package func perform(
        _ operation: D1CardOperation,
        _ reason: D1CardOperation.Reason,
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
            try store.record(D1CardDetails.self, card.recordID)
            ?? D1CardDetails(recordID: card.recordID, productID: nil, createdAt: now)
        details.updatedAt = now
        if operation == .suspend { details.suspendedFor = reason }
        if operation == .resume { details.suspendedFor = nil }
        try store.put(details)
        if operation == .renew || operation == .replace {
            for token in try view.digitalCards(of: changed) { try notifyRenewed(token) }
        }
        let operationID = D1Secret.operationID(&tenant.draws)
        try notifyCardOperation(changed, operation.word, operationID: operationID)
        return operationID
    }

    /// Removes a consumer with its cards; their digital cards are deleted.
    package func removeConsumer(_ consumer: Consumer) throws {
        for card in try view.cards(ofConsumer: consumer.consumerID, issuerID: consumer.issuerID) {
            _ = try perform(.delete, .issuerDecision, on: card, replacement: nil)
        }
        try store.remove(Consumer.self, consumer.recordID)
    }
}

extension Consumer {
    /// As it would be embossed.
    var fullName: String? {
        let parts = ["firstName", "lastName"].compactMap { details[$0]?.string }.filter { !$0.isEmpty }
        return parts.isEmpty ? nil : parts.joined(separator: " ").uppercased()
    }
}

extension View {
    /// Whether a number may take the card's place: renewal keeps it, replacement brings one that was never given up.
    package func replacementChecks(_ operation: D1CardOperation, _ pan: PAN?, for card: Card) throws -> [Check] {
        guard let pan else { return [] }
        // A token has one network for its whole life.
        if let network = PaymentNetwork(pan: pan.digits), network != card.network {
            let evidence = "the card is \(card.network.scheme), the new number is \(network.scheme)"
            return [.failed("card.pan", CardFault.networkMismatch, evidence: evidence)]
        }
        let isSame = try store.number(of: card.vaultOwner) == pan.digits
        switch operation {
        case .renew where !isSame:
            return [.failed("card.pan", D1RegistryFault.panDiffers, evidence: "ends in \(pan.suffix)")]
        case .replace where isSame:
            return [.failed("card.pan", D1RegistryFault.panDiffers, evidence: "the number is the old one")]
        case .replace where try isRetired(pan, issuerID: card.issuerID):
            return [.failed("card.pan", D1RegistryFault.panRetired, evidence: "ends in \(pan.suffix)")]
        default: return []
        }
    }
}

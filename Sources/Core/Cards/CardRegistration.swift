import Masking
package import Wire

/// A card as an issuer's backend registers it.
package struct CardRegistration: Sendable {
    /// The issuer's own name of the card.
    package let cardID: String
    /// Its owner.
    package let consumerID: String
    /// The issuer's product; nil when it was not said.
    package let productID: String?
    /// The state of a new card, nil when nothing is said. One that exists keeps its own.
    package let isActive: Bool?
    /// The number of the card; never printed whole.
    package let pan: PAN
    /// The month in which the card ends.
    package let expiry: CardExpiry
    /// Nil takes the consumer's name.
    package let holderName: String?

    /// Made of its members.
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
    /// A card that the issuer registered for a consumer, with what is kept beside it.
    package func registeredCard(
        issuerID: String,
        cardID: String
    ) throws -> (card: Card, details: CardDetails?)? {
        guard let card = try card(issuerID: issuerID, reference: cardID), card.consumerID != nil else { return nil }
        return (card, try store.record(CardDetails.self, card.recordID))
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
    package func checks(of registration: CardRegistration, issuerID: String) throws -> [Check] {
        var checks: [Check] = []
        if try consumer(issuerID: issuerID, consumerID: registration.consumerID) == nil {
            checks.append(
                .failed(
                    "consumer",
                    CardRegistryFault.consumerUnknown,
                    evidence: Masking.excerpt(registration.consumerID, 64)
                )
            )
        }
        if try isRetired(registration.pan, issuerID: issuerID) {
            let evidence = "ends in \(registration.pan.suffix)"
            checks.append(.failed("card.pan", CardRegistryFault.panRetired, evidence: evidence))
        }
        guard let known = try card(issuerID: issuerID, reference: registration.cardID), known.state != .closed else {
            return checks
        }
        let number = try store.number(of: known.vaultOwner)
        let isSame = number == registration.pan.digits && [nil, registration.consumerID].contains(known.consumerID)
        if !isSame { checks.append(.failed("card.id", CardRegistryFault.cardIDTaken, evidence: known.reference)) }
        if let wanted = registration.isActive, wanted != (known.state == .active) {
            let evidence = "the card is \(known.state.rawValue)"
            checks.append(.warning("card.state", CardRegistryFault.stateIgnored, evidence: evidence))
        }
        return checks
    }
}

extension World {
    /// Vault entries of numbers that no card has any more.
    static let retiredKind = "retired"

    /// Remembers that the number may not come back.
    func retire(_ number: String, of card: Card) throws {
        let id = "\(card.recordID)/\(nextSequence())"
        try store.setNumber(number, of: VaultOwner(kind: World.retiredKind, id: id))
    }

    /// Registers the card for its consumer. The checks were made before.
    package func register(_ registration: CardRegistration, issuerID: String) throws -> Card {
        if let old = try view.card(issuerID: issuerID, reference: registration.cardID), old.state == .closed {
            if let number = try store.number(of: old.vaultOwner) { try retire(number, of: old) }
            try store.removeNumber(of: old.vaultOwner)
            try store.remove(Card.self, old.recordID)
            try store.remove(CardDetails.self, old.recordID)
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
            try store.record(CardDetails.self, card.recordID)
            ?? CardDetails(recordID: card.recordID, productID: nil, createdAt: now)
        details.productID = registration.productID ?? details.productID
        details.updatedAt = now
        try store.put(details)
        return card
    }
}

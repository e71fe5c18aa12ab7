package import Wire

/// Finds and registers cards. All rules of CONTRACT section 1, "Who is the issuer" and "Cards appear by use".
extension View {
    /// The issuer's card of that reference.
    package func card(issuerID: String, reference: String) throws -> Card? {
        try store.record(Card.self, Card.recordID(issuerID: issuerID, reference: reference))
    }

    /// Registered cards with the number, the one used last first.
    package func cards(withNumber pan: PAN) throws -> [Card] {
        try store.owners(ofNumber: pan.digits).filter { $0.kind == "card" }
            .compactMap { try store.record(Card.self, $0.id) }
            .sorted { $0.lastUse > $1.lastUse }
    }

    /// Whether a card of the issuer has this FPAN id.
    package func isPrimaryAccountIdentifier(_ text: String, ofIssuer issuerID: String) throws -> Bool {
        try store.records(Card.self, "issuer", issuerID).contains { $0.primaryAccountIdentifier == text }
    }

    /// The card's state; a number that is blocked under one of the issuer's references is blocked under all of them.
    ///
    /// - Parameter number: the card's; nil to look it up.
    package func state(of card: Card, number: PAN? = nil) throws -> Card.State {
        guard card.state == .active,
            let number = try number ?? store.number(of: card.vaultOwner).flatMap({ PAN($0) })
        else { return card.state }
        let isBlocked = try cards(withNumber: number).contains { other in
            other.issuerID == card.issuerID && other.state == .blocked
        }
        return isBlocked ? .blocked : .active
    }

    /// Who owns a number that came without an issuer id: the registered card's issuer, else the one whose account
    /// ranges hold it, else the tenant's only issuer.
    package func owner(of pan: PAN) throws -> Result<(issuer: Issuer, card: Card?), IssuerResolutionFault> {
        let cards = try cards(withNumber: pan)
        let registered = Set(cards.map(\.issuerID))
        if registered.count > 1 { return .failure(.ambiguous(registered.sorted())) }
        // A closed card says nothing while another reference of the number lives.
        if let card = cards.first(where: { $0.state != .closed }) ?? cards.first,
            let issuer = try store.record(Issuer.self, card.issuerID)
        {
            return .success((issuer, card))
        }
        let issuers = try store.records(Issuer.self)
        let holders = issuers.filter { issuer in issuer.accountRanges.contains { $0.contains(pan) } }
        if holders.count > 1 { return .failure(.ambiguous(holders.map(\.issuerID).sorted())) }
        if let holder = holders.first { return .success((holder, nil)) }
        if issuers.count == 1 { return .success((issuers[0], nil)) }
        return .failure(.unknown)
    }

    /// The issuer that owns a number, nil when no single one does.
    package func issuer(of pan: PAN) throws -> Issuer? {
        guard case .success(let owner) = try owner(of: pan) else { return nil }
        return owner.issuer
    }

    /// The check digit by the strictness of the number's issuer, or by the tenant's when the issuer says nothing or is not
    /// known; nil when it refuses nothing.
    package func checkDigitCheck(of pan: PAN, tenant: Strictness, subject: String) throws -> Check? {
        if pan.isLuhnValid { return nil }
        guard (try issuer(of: pan)?.policies.strictness ?? tenant) == .strict else { return nil }
        return .failed("\(subject).luhn", CardFault.panLuhn, evidence: "ends in \(pan.suffix)")
    }
}

/// Why no single issuer owns a number.
package enum IssuerResolutionFault: Error, Sendable, Equatable {
    case unknown
    case ambiguous([String])

    /// The check that says so.
    package var check: Check {
        switch self {
        case .unknown: .failed("card.issuer", CardFault.issuerUnknownForPAN)
        case .ambiguous(let issuers):
            .failed("card.issuer", CardFault.issuerAmbiguous, evidence: issuers.joined(separator: ", "))
        }
    }
}

/// The card reference stands for another number.
package struct CardReferenceConflict: Error, Sendable, Equatable {
    /// The check that says so.
    package let check = Check.failed("card.reference", CardFault.cardReferenceConflict)
}

extension World {
    /// Registers the card, or brings what is known of it up to date.
    ///
    /// - Throws: ``CardReferenceConflict`` when the reference has another number.
    @discardableResult
    package func register(_ data: CardData, issuerID: String, consumerID: String? = nil) throws -> Card {
        guard let network = PaymentNetwork(pan: data.pan.digits) else { throw CardReferenceConflict() }
        if var card = try view.card(issuerID: issuerID, reference: data.reference) {
            guard try store.number(of: card.vaultOwner) == data.pan.digits else { throw CardReferenceConflict() }
            card.expiry = data.expiry
            card.holderName = data.holderName
            card.phone = data.phone ?? card.phone
            card.email = data.email ?? card.email
            card.lastUse = nextSequence()
            try store.put(card)
            return card
        }
        var card = Card(
            issuerID: issuerID,
            reference: data.reference,
            consumerID: consumerID,
            network: network,
            panSuffix: data.pan.suffix,
            expiry: data.expiry,
            holderName: data.holderName,
            primaryAccountIdentifier: try primaryAccountIdentifier(for: data.pan, issuerID: issuerID, network: network),
            lastUse: nextSequence()
        )
        card.phone = data.phone
        card.email = data.email
        try store.put(card)
        try store.setNumber(data.pan.digits, of: card.vaultOwner)
        return card
    }

    /// One FPAN id for one number of one issuer, whatever references it has.
    private func primaryAccountIdentifier(for pan: PAN, issuerID: String, network: PaymentNetwork) throws -> String {
        if let known = try view.cards(withNumber: pan).first(where: { $0.issuerID == issuerID }) {
            return known.primaryAccountIdentifier
        }
        return try unused({ Identifiers.primaryAccountIdentifier(network, &$0) }) { id in
            try !store.records(Card.self, "primaryAccountIdentifier", id).isEmpty
        }
    }
}

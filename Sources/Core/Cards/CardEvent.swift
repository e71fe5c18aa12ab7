/// What an issuer does with a card.
package enum CardEvent: Sendable, Equatable {
    /// New tokens are refused; tokens that exist stay as they are.
    case block
    case unblock
    /// A new expiry, three years on when none is given.
    case renew(CardExpiry?)
    /// A new number under the same reference; tokens and FPAN id stay. Without a number one is drawn.
    case replace(PAN?, CardExpiry?)
    /// The end: tokens are deleted.
    case close
}

extension World {
    /// Applies an event; nil when the card is closed and takes none.
    package func apply(_ event: CardEvent, to card: Card) throws -> Card? {
        guard card.state != .closed else { return nil }
        var card = card
        card.lastUse = nextSequence()
        switch event {
        case .block: card.state = .blocked
        case .unblock: card.state = .active
        case .renew(let expiry): card.expiry = expiry ?? card.expiry.adding(years: 3) ?? card.expiry
        case .replace(let number, let expiry):
            guard let pan = try number ?? replacementNumber(for: card) else { return nil }
            card.panSuffix = pan.suffix
            card.network = PaymentNetwork(pan: pan.digits) ?? card.network
            if let expiry { card.expiry = expiry }
            if let old = try store.number(of: card.vaultOwner), old != pan.digits { try retire(old, of: card) }
            try store.setNumber(pan.digits, of: card.vaultOwner)
        case .close:
            card.state = .closed
            for var token in try store.records(Token.self, "card", card.recordID) where token.state != .deleted {
                _ = try apply(.delete, to: &token, by: .issuer, reason: "card closed")
            }
        }
        try store.put(card)
        return card
    }

    /// An unused number that begins like the card's old one; nil when the card has none.
    private func replacementNumber(for card: Card) throws -> PAN? {
        guard let old = try store.number(of: card.vaultOwner) else { return nil }
        while true {
            let body = old.prefix(6) + tenant.draws.digits(old.utf8.count - 7)
            let number = body + String(Luhn.checkDigit(for: String(body)))
            if try number != old && store.owners(ofNumber: String(number)).isEmpty { return PAN(String(number)) }
        }
    }
}

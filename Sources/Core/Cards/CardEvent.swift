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
    ///
    /// - Parameter policy: what a drawn number must fit.
    package func apply(_ event: CardEvent, to card: Card, policy: PANPolicy? = nil) throws -> Card? {
        guard card.state != .closed else { return nil }
        var card = card
        card.lastUse = nextSequence()
        switch event {
        case .block: card.state = .blocked
        case .unblock: card.state = .active
        case .renew(let expiry): card.expiry = expiry ?? card.expiry.adding(years: 3) ?? card.expiry
        case .replace(let number, let expiry):
            guard let pan = try number ?? replacementNumber(for: card, policy: policy) else { return nil }
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

    /// An unused number of the card's network that the policy takes, from one of its ranges; where it has none, one that
    /// begins like the card's own. Nil when the card has no number.
    private func replacementNumber(for card: Card, policy: PANPolicy?) throws -> PAN? {
        guard let old = try store.number(of: card.vaultOwner) else { return nil }
        let range = policy?.ranges(of: card.network).first
        let head = range.map { String(zip($0.low, $0.high).prefix { $0 == $1 }.map(\.0)) } ?? String(old.prefix(6))
        let length = range?.low.utf8.count ?? old.utf8.count
        while true {
            let body = head + tenant.draws.digits(length - head.utf8.count - 1)
            let number = body + String(Luhn.checkDigit(for: body))
            // Another suffix too: a pass shows nothing else of a number.
            guard number.suffix(4) != old.suffix(4) else { continue }
            if try store.owners(ofNumber: number).isEmpty { return PAN(number) }
        }
    }
}

import Core
import Traffic

/// What a request is about, for rules that ask for a token, a card or an issuer.
extension Worlds {
    /// What the handler found out, and what the store knows of the token, the card and the application it found.
    func subject(of exchange: Exchange) async -> FaultSubject {
        var subject = exchange.subject
        let tokenID = exchange.tokenID
        if let tokenID { subject.tokenIDs.insert(tokenID) }
        let (cards, applications) = (subject.cards, subject.applications)
        guard tokenID != nil || !cards.isEmpty || !applications.isEmpty else { return subject }
        let found = try? await read(exchange.tenant) { view -> FaultSubject in
            var found = FaultSubject()
            if let token = try tokenID.flatMap({ try view.store.record(Token.self, $0) }) {
                found.note(issuerID: token.issuerID)
                found.note(try view.store.record(Card.self, token.cardRecordID))
            }
            found.note(try view.card(meantBy: cards))
            for application in applications {
                found.note(issuerID: try view.store.record(Application.self, application)?.issuerID)
            }
            return found
        }
        if let found { subject.add(found) }
        return subject
    }
}

extension FaultSubject {
    fileprivate mutating func note(_ card: Card?) {
        guard let card else { return }
        cardSuffixes.insert(card.panSuffix)
        note(issuerID: card.issuerID)
    }
}

extension View {
    /// The card of the first name whose consumer has it; else the first that has such a name, which is somebody else's.
    fileprivate func card(meantBy names: [FaultSubject.CardName]) throws -> Card? {
        var other: Card?
        for name in names {
            guard let card = try card(issuerID: name.issuerID, reference: name.reference) else { continue }
            guard let consumers = name.consumerIDs, card.consumerID.map(consumers.contains) != true else { return card }
            other = other ?? card
        }
        return other
    }
}

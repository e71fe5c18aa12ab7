import Core
import Networks
import Traffic
import Web

/// What a request is about, for rules that ask for a token, a card or an issuer.
extension Pipeline {
    /// An operation that ran, and what it found out.
    struct Rehearsal {
        let visit: Visit
        let response: HTTPResponse
        /// The operation changes nothing, so that this answer is the answer.
        let isReal: Bool
    }

    /// Runs the operation to see what it is about and what it would answer. Nothing is changed; of a look-up the answer is
    /// the answer.
    func rehearse(_ visit: Visit, _ route: Destination) async -> Rehearsal {
        let isReal = route.route.isReading
        return await Worlds.$isRehearsal.withValue(!isReal) {
            var copy = visit
            let response = await run(&copy, route)
            return Rehearsal(visit: copy, response: response, isReal: isReal)
        }
    }

    /// What path, query and body say by themselves.
    func earlySubject(_ visit: Visit, _ book: FaultBook) -> FaultSubject {
        var subject = FaultSubject()
        guard book.needsSubject else { return subject }
        for pair in visit.exchange.parameters.pairs { subject.take(pair.name, pair.value) }
        for pair in visit.exchange.request.query { subject.take(pair.name, pair.value) }
        subject.issuerIDs.formUnion(visit.certificateIssuers)
        subject.take(body: visit.exchange.request.body)
        return subject
    }

    /// Whether a look-up that ran turned out to be about a token, a card or an issuer.
    func isAboutSomething(_ visit: Visit, _ book: FaultBook) -> Bool {
        visit.exchange.tokenID != nil || !visit.exchange.subject.isEmpty || !earlySubject(visit, book).isEmpty
    }

    /// What the handler found out, and what the store knows of the token, the card and the application it found.
    func finalSubject(_ visit: Visit) async -> FaultSubject {
        var subject = visit.exchange.subject
        let tokenID = visit.exchange.tokenID
        if let tokenID { subject.tokenIDs.insert(tokenID) }
        let (cards, applications) = (subject.cards, subject.applications)
        guard tokenID != nil || !cards.isEmpty || !applications.isEmpty else { return subject }
        let found = try? await worlds.read(visit.exchange.tenant) { view -> FaultSubject in
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

extension Pipeline.Visit {
    /// Takes back what the handler noted, as if it had not run.
    mutating func restart(at mark: Exchange.Mark) {
        exchange.restart(at: mark)
        deciding = nil
    }
}

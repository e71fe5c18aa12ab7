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
    func rehearse(_ visit: Visit, _ route: Route) async -> Rehearsal {
        let isReal = route.operation.method == .get
        return await Vault.$isRehearsal.withValue(!isReal) {
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

    /// What the handler found out, and what the store knows of the token it found.
    func finalSubject(_ visit: Visit) async -> FaultSubject {
        var subject = visit.exchange.subject
        guard let tokenID = visit.exchange.tokenID else { return subject }
        subject.tokenIDs.insert(tokenID)
        let found = try? await vault.read(visit.exchange.tenant) { view in
            let token = try view.store.record(Token.self, tokenID)
            return (token, try token.flatMap { try view.store.record(Card.self, $0.cardRecordID) })
        }
        if let token = found?.0 { subject.issuerIDs.insert(token.issuerID) }
        if let card = found?.1 { subject.cardSuffixes.insert(card.panSuffix) }
        return subject
    }
}

extension Pipeline.Visit {
    /// Takes back what the handler noted, as if it had not run.
    mutating func restart(at mark: Exchange.Mark) {
        exchange.restart(at: mark)
        deciding = nil
    }
}

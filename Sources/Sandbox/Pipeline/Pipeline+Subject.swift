import Core
import Networks
import Traffic
import Web
import Wire

/// What a request is about, for rules that ask for a token, a card or an issuer.
extension Pipeline {
    /// An operation that ran, and what it found out.
    struct Rehearsal {
        let visit: Visit
        let response: HTTPResponse
        /// The operation changes nothing, so that this answer is the answer.
        let isReal: Bool
    }

    /// Runs the operation to see what it is about and what it would answer. Nothing is changed.
    func rehearse(_ visit: Visit, _ route: Route) async -> Rehearsal {
        if route.operation.method == .get {
            var after = visit
            let response = await run(&after, route)
            return Rehearsal(visit: after, response: response, isReal: true)
        }
        let (after, response) = await Vault.$isRehearsal.withValue(true) {
            var copy = visit
            let response = await run(&copy, route)
            return (copy, response)
        }
        return Rehearsal(visit: after, response: response, isReal: false)
    }

    /// What path, query and body say by themselves.
    func earlySubject(_ visit: Visit, _ book: FaultBook) -> FaultSubject {
        var subject = FaultSubject()
        guard book.needsSubject else { return subject }
        for pair in visit.exchange.parameters.pairs { subject.take(pair.name, pair.value) }
        // Decoding takes longer than a look at the names.
        if visit.exchange.request.rawQuery.utf8.split(separator: 0x26).contains(where: {
            FaultSubject.mayBeName($0.first)
        }) {
            for pair in visit.exchange.request.query { subject.take(pair.name, pair.value) }
        }
        subject.take(body: visit.exchange.request.body)
        return subject
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
    /// The visit as it was before its operation ran, with so many checks made.
    func begunAnew(checks: Int) -> Self {
        var visit = self
        visit.exchange.checks.removeLast(max(0, visit.exchange.checks.count - checks))
        visit.exchange.tokenID = nil
        visit.exchange.subject = FaultSubject()
        visit.exchange.errorMembers = JSONObject()
        visit.exchange.orders = Orders()
        visit.deciding = nil
        return visit
    }
}

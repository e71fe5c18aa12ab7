import Core
import Networks
import Traffic
package import Web
import Wire

/// What is answered before the body has come: a client that waits for `100 Continue` need not send it.
extension Pipeline {
    package func refusal(of head: HTTPRequest) async -> HTTPResponse? {
        guard case .success(let selected) = TenantSelection.select(head, prefixed: takesTenantPrefix) else {
            return await respond(to: head)
        }
        guard gate(head) == nil, case .found(let route, _) = router.match(head.method, selected.request.path),
            BodySize.announced(head) <= route.route.bodyLimit, codingFailure(head) == nil
        else { return await respond(to: head) }
        if let response = await turnAway(head, route, selected) { return response }
        guard mayFireWithoutBody(head, selected) else { return nil }
        return await fireWithoutBody(head)
    }

    /// A look at a head. Whether there is one depends on the network, so it takes no id from the seed.
    private func look(at head: HTTPRequest) async -> Visit {
        var looked = head
        looked.headers[.requestID] = "head"
        return await begin(looked)
    }

    /// Refuses a credential in the head that is not good, to a client that asks before it sends the body. Nil where the body
    /// may say more: a rule could be about it, or it is coded or of a length that nobody knows yet.
    private func turnAway(_ head: HTTPRequest, _ route: Destination, _ selected: TenantSelection) async -> HTTPResponse?
    {
        guard route.endpoint.looksAtHead, head.headers[.expect] != nil,
            BodySize.announced(head) > 0, ContentCoding(head.headers) == .identity,
            head.headers[.sandboxFault] == nil, tenants.known(selected.name ?? .default)?.faults.isEmpty == true
        else { return nil }
        let clock = ContinuousClock()
        let start = clock.now
        var looked = await look(at: head)
        let seen = await refusal(&looked, route)
        if looked.hasEntered { looked.context?.leave() }
        guard seen != nil else { return nil }
        var visit = await begin(head)
        guard visit.context?.faults.isEmpty == true, var response = await refusal(&visit, route) else {
            if visit.hasEntered { visit.context?.leave() }
            return nil
        }
        metrics.requestBegan()
        decorate(&response, visit)
        await finish(visit, head, &response, clock.now - start)
        return response
    }

    /// The answer to a request whose head is refused; nil when it is not.
    private func refusal(_ visit: inout Visit, _ route: Destination) async -> HTTPResponse? {
        if visit.exchange.failures.isEmpty {
            await routeFailure(&visit)
            await judgeCertificate(&visit)
        }
        guard visit.exchange.failures.isEmpty else { return await refuse(&visit) }
        do {
            try await route.endpoint.refuseHead(of: &visit.exchange)
            return nil
        } catch let refusal as Refusal {
            if let check = refusal.check { visit.exchange.note(check) }
            return await refuse(&visit)
        } catch {
            // Whatever it is, the request itself will tell.
            return nil
        }
    }

    /// Whether it is worth a look: the tenant is named and has rules.
    private func mayFireWithoutBody(_ head: HTTPRequest, _ selected: TenantSelection) -> Bool {
        // Without a name a credential may choose the tenant; the body is awaited then.
        guard !isControl, selected.name != nil || (head.headers[.authorization] == nil && head.tls == nil),
            head.headers[.sandboxFault] == nil, let context = tenants.known(selected.name ?? .default)
        else { return false }
        return !context.faults.isEmpty
    }

    /// Answers with a rule that needs no body and does not run the operation; nil when there is none. The operation is
    /// never run here, whatever becomes of the rule in the meantime.
    private func fireWithoutBody(_ head: HTTPRequest) async -> HTTPResponse? {
        let clock = ContinuousClock()
        let start = clock.now
        let looked = await look(at: head)
        let isWorthIt = looked.route.map { ruleWithoutBody(looked, $0, looked.context?.faults) != nil } ?? false
        if looked.hasEntered { looked.context?.leave() }
        guard isWorthIt else { return nil }
        var visit = await begin(head)
        // What refuses the whole request goes before a fault there, and so it does here.
        await judgeCertificate(&visit)
        guard visit.exchange.failures.isEmpty, let route = visit.route,
            let book = visit.context?.faults,
            let rule = ruleWithoutBody(visit, route, book), let claim = book.claim(rule.id, at: visit.receivedAt),
            claim.fires
        else {
            if visit.hasEntered { visit.context?.leave() }
            return nil
        }
        metrics.requestBegan()
        var response = await apply(Fault(rule, claim, book), to: &visit, route, book, known: nil)
        decorate(&response, visit)
        await finish(visit, head, &response, clock.now - start)
        return response
    }

    private func ruleWithoutBody(_ visit: Visit, _ route: Destination, _ book: FaultBook?) -> FaultRule? {
        guard let book else { return nil }
        let finding = find(visit, route, book, FaultSubject(), isFinal: false)
        guard !finding.isOpen, let first = finding.rules.first(where: { fits($0.effect, route) }),
            !first.isCounted, first.match.attempt == nil
        else { return nil }
        switch first.effect {
        case .respond, .networkError: return first
        case .connection(let kind): return kind == .close || kind == .truncate ? nil : first
        case .delay, .decision, .dribble, .corrupt, .commitThen, .callback: return nil
        }
    }
}

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
            BodySize.announced(head) <= route.operation.bodyLimit, codingFailure(head) == nil
        else { return await respond(to: head) }
        if await isTurnedAway(head, route, selected) { return await respond(to: head) }
        guard mayFireWithoutBody(head, selected) else { return nil }
        return await fireWithoutBody(head)
    }

    /// Whether the credential in the head is not good. Where a rule could fire, the body is awaited: it may be about it.
    private func isTurnedAway(_ head: HTTPRequest, _ route: Route, _ selected: TenantSelection) async -> Bool {
        guard let admission = route.operation.admission, tenants.known(selected.name ?? .default) != nil,
            head.headers[.sandboxFault] == nil
        else { return false }
        // Whether a head is looked at depends on the network, so the look takes no id from the seed.
        var looked = head
        looked.headers[.requestID] = "head"
        var visit = await begin(looked)
        defer { if visit.hasEntered { visit.context?.leave() } }
        guard visit.exchange.failures.isEmpty, visit.context?.faults.isEmpty == true else { return false }
        do {
            try await admission(&visit.exchange)
            return false
        } catch {
            return error is Refusal
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
        var visit = await begin(head)
        // What refuses the whole request goes before a fault there, and so it does here.
        await judgeCertificate(&visit)
        guard visit.exchange.failures.isEmpty, let route = visit.route,
            let book = visit.context?.faults,
            let rule = ruleWithoutBody(visit, route, book), let claim = book.claim(rule.id, at: visit.receivedAt)
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

    private func ruleWithoutBody(_ visit: Visit, _ route: Route, _ book: FaultBook) -> FaultRule? {
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

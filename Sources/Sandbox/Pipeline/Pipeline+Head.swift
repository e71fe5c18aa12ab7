import Core
import Networks
import Traffic
package import Web

/// What is answered before the body has come: a client that waits for `100 Continue` need not send it.
extension Pipeline {
    package func refusal(of head: HTTPRequest) async -> HTTPResponse? {
        let start = ContinuousClock().now
        let arrival = arrive.arrive(head)
        let route = arrival.found.destination.route
        guard arrival.failure == nil, arrival.found.obstacle == nil, FormStage.headFailure(head, route) == nil else {
            return await respond(to: head)
        }
        // Who is only looked at makes no tenant.
        if faults == nil {
            let isRefused = await identify.identify(arrival, makesTenant: false).exchange.isRefused
            return isRefused ? await respond(to: head) : nil
        }
        guard head.headers[.sandboxFault] == nil,
            let book = tenants.known(arrival.tenant ?? .default)?.faults
        else { return nil }
        return book.isEmpty ? await turnAway(arrival, start) : await fireWithoutBody(arrival, start)
    }

    /// Refuses a credential in the head that is not good, to a client that asks before it sends the body. Nil where the body
    /// may say more: it is coded, or of a length that nobody knows yet.
    private func turnAway(
        _ arrival: ArriveStage.Arrival,
        _ start: ContinuousClock.Instant
    ) async -> HTTPResponse? {
        let head = arrival.received
        guard let endpoint = arrival.found.destination.endpoint, endpoint.looksAtHead, head.headers[.expect] != nil,
            FormStage.announcedSize(head) > 0, ContentCoding(head.headers) == .identity
        else { return nil }
        var progress = await identify.identify(arrival, makesTenant: true)
        await check(&progress)
        if !progress.exchange.isRefused {
            do {
                try await endpoint.refuseHead(of: &progress.exchange)
            } catch {
                // Whatever else it is, the request itself will tell.
                if let check = (error as? Refusal)?.check { progress.exchange.note(check) }
            }
        }
        // The credential may have led to a tenant that has rules.
        guard progress.exchange.isRefused, progress.book.isEmpty else {
            progress.leave()
            return nil
        }
        identify.drawID(&progress)
        let response = await answers.refuse(&progress)
        return await finish(progress, response, start)
    }

    /// Answers with a rule that needs no body and does not run the operation; nil when there is none. The operation is
    /// never run here, whatever becomes of the rule in the meantime.
    private func fireWithoutBody(
        _ arrival: ArriveStage.Arrival,
        _ start: ContinuousClock.Instant
    ) async -> HTTPResponse? {
        let head = arrival.received
        // Without a name a credential may choose the tenant; the body is awaited then.
        guard let faults, arrival.tenant != nil || (head.headers[.authorization] == nil && head.tls == nil) else {
            return nil
        }
        var progress = await identify.identify(arrival, makesTenant: true)
        // What refuses the whole request goes before a fault there, and so it does here.
        if progress.ruleWithoutBody != nil { await certificates?.judge(&progress) }
        guard !progress.exchange.isRefused, let rule = progress.ruleWithoutBody,
            let claim = progress.book.claim(rule.id, at: progress.receivedAt), claim.fires
        else {
            progress.leave()
            return nil
        }
        identify.drawID(&progress)
        let fault = FaultSelection(rule, claim, progress.book)
        let response = await faults.effects.apply(fault, to: &progress, known: nil)
        return await finish(progress, response, start)
    }

    private func finish(
        _ progress: RequestInProgress,
        _ response: HTTPResponse,
        _ start: ContinuousClock.Instant
    ) async -> HTTPResponse {
        metrics.requestBegan()
        var response = response
        answers.decorate(&response, progress)
        await records.record(progress, &response, ContinuousClock().now - start)
        return response
    }
}

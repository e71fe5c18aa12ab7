import Core
import Networks
import Traffic
import Web
import Wire

/// What each effect does to a request.
extension Pipeline {
    /// No byte of an answer was made, so none is sent.
    private static let nothing = HTTPResponse(status: 0, delivery: .empty)

    /// - Parameter known: what the operation answered when it was run to find out what the request is about.
    func apply(
        _ fault: Fault,
        to visit: inout Visit,
        _ route: Destination,
        _ book: FaultBook,
        known: Rehearsal?
    ) async -> HTTPResponse {
        switch fault.effect {
        case .delay(let delay):
            switch await pause(delay, fault, visit) {
            case nil: return await crowded(&visit)
            case .clientLeft: return tell(fault, &visit, Self.nothing)
            default: return tell(fault, &visit, await run(&visit, route))
            }
        case .respond(let answer): return inject(fault, &visit, answer.response)
        case .networkError(let name):
            guard let error = route.networkErrors[name] else { return inject(fault, &visit, Self.nothing) }
            let response = await route.face.seal(error.answer(visit.exchange), isRefusal: true, in: visit.exchange)
            return inject(fault, &visit, response)
        case .connection(let kind):
            switch kind {
            case .close, .truncate:
                // A part of an answer needs the answer, and the change must not happen.
                let rehearsal = if let known { known } else { await rehearse(visit, route) }
                return inject(fault, &visit, broken(rehearsal.response, kind, fault))
            case .reset, .empty, .garbage, .stall: return inject(fault, &visit, broken(Self.nothing, kind, fault))
            }
        case .decision(let decision):
            visit.exchange.orders.decision = decision
            return await change(await run(&visit, route), by: fault, &visit, book)
        case .dribble, .corrupt, .commitThen, .callback:
            return await change(await run(&visit, route), by: fault, &visit, book)
        }
    }

    /// What becomes of the answer of an operation that was run, by an effect that comes after it.
    func change(
        _ response: HTTPResponse,
        by fault: Fault,
        _ visit: inout Visit,
        _ book: FaultBook
    ) async -> HTTPResponse {
        if let why = fault.effect.obstacle(response, visit.exchange.orders) {
            return pass(fault, &visit, book, response, why)
        }
        switch fault.effect {
        case .dribble(let bytes, let pause):
            var response = response
            response.delivery = .dribble(bytes: bytes, everyMilliseconds: pause)
            return tell(fault, &visit, response)
        case .corrupt(let kind):
            return tell(fault, &visit, AnswerCorruption.apply(kind, to: response) ?? response)
        case .commitThen(let effect): return await follow(effect, fault, &visit, response)
        default: return tell(fault, &visit, response)
        }
    }

    /// What follows a commit.
    private func follow(
        _ effect: FaultEffect,
        _ fault: Fault,
        _ visit: inout Visit,
        _ response: HTTPResponse
    ) async -> HTTPResponse {
        switch effect {
        case .delay(let delay):
            await pause(delay, fault, visit)
            return tell(fault, &visit, response)
        case .respond(let answer): return inject(fault, &visit, answer.response)
        case .connection(let kind): return inject(fault, &visit, broken(response, kind, fault))
        default: return response
        }
    }

    /// - Returns: why the pause ended; nil when too many requests wait already.
    @discardableResult
    private func pause(_ delay: FaultDelay, _ fault: Fault, _ visit: Visit) async -> Pauses.Ending? {
        var draws = fault.draws
        let milliseconds = delay.milliseconds(&draws)
        let tenant = visit.exchange.tenant
        guard let pause = pauses.openBounded(in: tenant) else { return nil }
        return await pauses.wait(pause, in: tenant, milliseconds: milliseconds)
    }

    /// Too many requests wait; one more would keep the others out.
    private func crowded(_ visit: inout Visit) async -> HTTPResponse {
        let evidence = "\(pauses.count(of: visit.exchange.tenant)) requests of the tenant wait"
        visit.exchange.note(.failed("fault", HTTPFault.overloaded, evidence: evidence))
        return await refuse(&visit)
    }

    private func broken(_ response: HTTPResponse, _ kind: FaultEffect.Break, _ fault: Fault) -> HTTPResponse {
        var response = response
        var draws = fault.draws
        response.delivery =
            switch kind {
            case .reset: .reset
            case .close: .close
            case .empty: .empty
            case .truncate: .truncate
            case .garbage: .garbage(draws.bytes(64))
            case .stall: .stall
            }
        return response
    }

    /// The fault took effect.
    private func tell(_ fault: Fault, _ visit: inout Visit, _ response: HTTPResponse) -> HTTPResponse {
        visit.exchange.orders.fault = fault.name
        metrics.countFault(fault.effect.kind)
        visit.exchange.note(
            .warning("fault", FaultCode.injected, evidence: "\(fault.name): \(fault.effect.summary)")
        )
        return response
    }

    /// The fault made the answer, and so is its reason.
    private func inject(_ fault: Fault, _ visit: inout Visit, _ response: HTTPResponse) -> HTTPResponse {
        let response = tell(fault, &visit, response)
        if response.status >= 400 { visit.deciding = visit.exchange.checks.last }
        return response
    }

    /// The fault had nothing to change: the answer stands and the rule was not counted.
    private func pass(
        _ fault: Fault,
        _ visit: inout Visit,
        _ book: FaultBook,
        _ response: HTTPResponse,
        _ why: String
    ) -> HTTPResponse {
        if let (rule, claim) = fault.claimed { book.takeBack(rule.id, claim) }
        visit.exchange.note(notApplied(fault.name, why))
        return response
    }

    func notApplied(_ name: String, _ why: String) -> Check {
        .warning("fault", FaultCode.notApplied, evidence: "\(name): \(why)")
    }
}

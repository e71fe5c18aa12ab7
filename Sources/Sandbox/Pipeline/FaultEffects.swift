import Core
import Networks
import Traffic
import Web
import Wire

/// What each effect does to a request.
struct FaultEffects: Sendable {
    /// No byte of an answer was made, so none is sent.
    private static let nothing = HTTPResponse(status: 0, delivery: .empty)

    let pauses: Pauses
    let runs: RunStage
    let metrics: Metrics

    /// - Parameter known: what the operation answered when it was run to find out what the request is about.
    func apply(
        _ fault: FaultSelection,
        to progress: inout RequestInProgress,
        known: Rehearsal?
    ) async -> HTTPResponse {
        switch fault.effect {
        case .delay(let delay):
            switch await pause(delay, fault, progress) {
            case nil: return await crowded(&progress)
            case .clientLeft: return tell(fault, &progress, Self.nothing)
            default: return tell(fault, &progress, await runs.run(&progress))
            }
        case .respond(let answer): return inject(fault, &progress, answer.response)
        case .networkError(let name):
            let (destination, exchange) = (progress.destination, progress.exchange)
            guard let error = destination.networkErrors[name] else { return inject(fault, &progress, Self.nothing) }
            let response = await destination.face.seal(error.answer(exchange), isRefusal: true, in: exchange)
            return inject(fault, &progress, response)
        case .connection(let kind):
            switch kind {
            case .close, .truncate:
                // A part of an answer needs the answer, and the change must not happen.
                let rehearsal = if let known { known } else { await runs.rehearse(&progress) }
                return inject(fault, &progress, broken(rehearsal.response, kind, fault))
            case .reset, .empty, .garbage, .stall: return inject(fault, &progress, broken(Self.nothing, kind, fault))
            }
        case .decision(let decision):
            progress.exchange.orders.decision = decision
            return await change(await runs.run(&progress), by: fault, &progress)
        case .dribble, .corrupt, .commitThen, .callback:
            return await change(await runs.run(&progress), by: fault, &progress)
        }
    }

    /// What becomes of the answer of an operation that was run, by an effect that comes after it.
    func change(
        _ response: HTTPResponse,
        by fault: FaultSelection,
        _ progress: inout RequestInProgress
    ) async -> HTTPResponse {
        if let why = fault.effect.obstacle(response, progress.exchange.orders) {
            // The fault had nothing to change: the answer stands and the rule was not counted.
            if let (rule, claim) = fault.claimed { progress.book.takeBack(rule.id, claim) }
            progress.exchange.note(.notApplied(fault.name, why))
            return response
        }
        switch fault.effect {
        case .dribble(let bytes, let pause):
            var response = response
            response.delivery = .dribble(bytes: bytes, everyMilliseconds: pause)
            return tell(fault, &progress, response)
        case .corrupt(let kind):
            return tell(fault, &progress, AnswerCorruption.apply(kind, to: response) ?? response)
        case .commitThen(.delay(let delay)):
            await pause(delay, fault, progress)
            return tell(fault, &progress, response)
        case .commitThen(.respond(let answer)): return inject(fault, &progress, answer.response)
        case .commitThen(.connection(let kind)): return inject(fault, &progress, broken(response, kind, fault))
        case .commitThen: return response
        default: return tell(fault, &progress, response)
        }
    }

    /// - Returns: why the pause ended; nil when too many requests wait already.
    @discardableResult
    private func pause(
        _ delay: FaultDelay,
        _ fault: FaultSelection,
        _ progress: RequestInProgress
    ) async -> Pauses.Ending? {
        var draws = fault.draws
        let milliseconds = delay.milliseconds(&draws)
        let tenant = progress.exchange.tenant
        guard let pause = pauses.openBounded(in: tenant) else { return nil }
        return await pauses.wait(pause, in: tenant, milliseconds: milliseconds)
    }

    /// Too many requests wait; one more would keep the others out.
    private func crowded(_ progress: inout RequestInProgress) async -> HTTPResponse {
        let evidence = "\(pauses.count(of: progress.exchange.tenant)) requests of the tenant wait"
        progress.exchange.note(.failed("fault", HTTPFault.overloaded, evidence: evidence))
        return await runs.answers.refuse(&progress)
    }

    private func broken(_ response: HTTPResponse, _ kind: FaultEffect.Break, _ fault: FaultSelection) -> HTTPResponse {
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
    private func tell(
        _ fault: FaultSelection,
        _ progress: inout RequestInProgress,
        _ response: HTTPResponse
    ) -> HTTPResponse {
        progress.exchange.orders.fault = fault.name
        metrics.countFault(fault.effect.kind)
        progress.exchange.note(
            .warning("fault", FaultCode.injected, evidence: "\(fault.name): \(fault.effect.summary)")
        )
        return response
    }

    /// The fault made the answer, and so is its reason.
    private func inject(
        _ fault: FaultSelection,
        _ progress: inout RequestInProgress,
        _ response: HTTPResponse
    ) -> HTTPResponse {
        let response = tell(fault, &progress, response)
        if response.status >= 400 { progress.deciding = progress.exchange.checks.last }
        return response
    }
}

import Core
import Networks
import Traffic
import Web
import Wire

/// An operation that ran, and what it found out.
struct Rehearsal {
    let progress: RequestInProgress
    let response: HTTPResponse
    /// The operation changes nothing, so that this answer is the answer.
    let isReal: Bool
}

/// Runs an operation: identify, verify, ask, decide (the endpoint's), answer, seal.
struct RunStage: Sendable {
    /// How often an operation runs whose issuer is changed meanwhile.
    private static let mostRuns = 4

    let worlds: Worlds
    let pauses: Pauses
    let answers: AnswerStage
    let mishaps: Mishaps

    /// Runs the operation; what it refuses becomes the face's answer.
    ///
    /// What was checked with an issuer that is another one by the time of the change has changed nothing. It is checked
    /// again with the new one, so that a client does not meet a race that is not its own doing.
    func run(_ progress: inout RequestInProgress) async -> HTTPResponse {
        let mark = progress.exchange.mark
        for _ in 1..<Self.mostRuns {
            let response = await runOnce(&progress)
            guard progress.isOutrun else { return response }
            progress.restart(at: mark)
        }
        return await runOnce(&progress)
    }

    /// Runs the operation to see what it is about and what it would answer. Nothing is changed; of one that only reads the
    /// answer is the answer. What the issuer was asked is not asked again.
    func rehearse(_ progress: inout RequestInProgress) async -> Rehearsal {
        let isReal = progress.destination.route.isReading
        var copy = progress
        copy.exchange.isRehearsal = !isReal
        let response = await run(&copy)
        copy.exchange.isRehearsal = false
        progress.exchange.answers = copy.exchange.answers
        return Rehearsal(progress: copy, response: response, isReal: isReal)
    }

    /// Spends what of an answered request may come once, where no decision did.
    func spend(_ progress: inout RequestInProgress, _ response: HTTPResponse) async -> HTTPResponse {
        guard !progress.exchange.singleUses.isEmpty, progress.deciding == nil else { return response }
        do {
            try await worlds.decide(&progress.exchange) { _ in Checked(value: (), checks: []) }
            return response
        } catch {
            return await refuse(error, &progress)
        }
    }

    private func runOnce(_ progress: inout RequestInProgress) async -> HTTPResponse {
        guard let endpoint = progress.destination.endpoint else { return await answers.refuse(&progress) }
        let response: HTTPResponse
        do {
            let answer = try await endpoint.serve(&progress.exchange)
            response = await progress.destination.face.seal(answer, isRefusal: false, in: progress.exchange)
        } catch {
            response = await refuse(error, &progress)
        }
        return await followed(response, progress.exchange)
    }

    private func refuse(_ error: any Error, _ progress: inout RequestInProgress) async -> HTTPResponse {
        if let refusal = error as? Refusal {
            if let check = refusal.check { progress.exchange.note(check) }
        } else {
            progress.exchange.note(mishaps.check(error, in: progress.exchange.operation))
        }
        return await answers.refuse(&progress)
    }

    /// The answer as the orders of the exchange want it: later, or broken.
    private func followed(_ response: HTTPResponse, _ exchange: Exchange) async -> HTTPResponse {
        let orders = exchange.orders
        if orders.answerDelayMilliseconds > 0, !exchange.isRehearsal {
            await pauses.pause(in: exchange.tenant, milliseconds: orders.answerDelayMilliseconds)
        }
        guard let delivery = orders.delivery else { return response }
        var response = response
        response.delivery = delivery
        return response
    }
}

extension RequestInProgress {
    /// Whether the operation was refused because its issuer changed under its hands.
    fileprivate var isOutrun: Bool {
        deciding != nil && exchange.checks.contains { !$0.passed && $0.code == IssuerFault.changed.code }
    }
}

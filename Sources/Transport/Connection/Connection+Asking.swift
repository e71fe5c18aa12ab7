internal import Web

/// What the responder is asked, and what comes of it.
extension Connection {
    /// Has the whole request answered.
    func answer() {
        guard var request = head else { return }
        request.body = parser.takeBody()
        guard server.takeRoom() else { return refuse(RequestFault(.overloaded, "too many requests are in flight")) }
        phase = .answering
        deadline = .infinity
        // Copied, so that the closure does not change with the next request.
        let whole = request
        ask { responder in .answer(await responder.respond(to: whole)) }
    }

    /// Has the head looked at while the body has not arrived.
    func judge() {
        guard let head else { return }
        guard server.takeRoom() else { return refuse(RequestFault(.overloaded, "too many requests are in flight")) }
        isJudged = true
        phase = .judging
        ask { responder in .verdict(await responder.refusal(of: head)) }
    }

    /// Has a request that cannot be served answered, and ends the connection after it.
    func refuse(_ fault: RequestFault) {
        let broken = BrokenRequest(
            reason: fault.reason,
            detail: fault.detail,
            head: head ?? scanner.partialRequest(of: client),
            peer: peer
        )
        server.counters.countRefusal()
        form.isHead = broken.head.map { $0.method == .head } ?? scanner.asksForHead
        form.keepsAlive = false
        task?.cancel()
        task = nil
        phase = .answering
        deadline = .infinity
        // The answer that there is no room has to be made, too.
        _ = server.counters.takeRoom(within: .max)
        ask { responder in .answer(await responder.respond(to: broken)) }
    }

    /// Passes a question on under a new turn.
    private func ask(_ question: @escaping @Sendable (any HTTPResponder) async -> Outcome) {
        turn += 1
        server.ask(Ticket(connection: id, turn: turn), of: self, question)
    }

    /// The responder is done. Called by the server, on the loop thread.
    func conclude(_ outcome: Outcome) {
        task = nil
        switch (outcome, phase) {
        case (.answer(let response), .answering): deliver(response)
        case (.verdict(let refusal?), .judging):
            form.keepsAlive = false
            drainBudget = unreadBody
            deliver(refusal)
        case (.verdict(nil), .judging): admitBody()
        default: break
        }
    }

    /// The head was found good.
    private func admitBody() {
        phase = .body
        if parser.isComplete { return answer() }
        expectProgress()
        if rules.expectsContinue, !bodyBegan, !form.isOldVersion {
            if !send(AnswerWriter.continuation) { close() }
        }
    }

    /// What the client may still send of a body that would have been taken; it is read so that the answer is too.
    private var unreadBody: Int {
        guard let length = parser.declaredLength else { return 0 }
        return max(0, Int(length) - parser.body.count)
    }
}

/// Names one question to the responder.
struct Ticket: Sendable {
    let connection: UInt64
    let turn: UInt64
}

/// What the responder said.
enum Outcome: Sendable {
    case answer(HTTPResponse)
    /// The refusal of a head, or nil.
    case verdict(HTTPResponse?)
}

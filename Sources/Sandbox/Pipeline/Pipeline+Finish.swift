import Core
import Traffic
import Web
import Wire

extension Pipeline {
    /// Writes the exchange into journal and log.
    ///
    /// The entry stands before the answer is handed over, so that a client that was answered finds it. An answer that is
    /// held back takes with it what notes later that the client left.
    func finish(_ visit: Visit, _ request: HTTPRequest, _ response: inout HTTPResponse, _ duration: Duration) async {
        let exchange = visit.exchange
        visit.context?.use(at: worlds.environment.systemNow())
        defer { if visit.hasEntered { visit.context?.leave() } }
        let microseconds = duration.microseconds
        count(visit, response.status, microseconds)
        if let journal, isOfToday(visit) {
            let context = JournalContext(
                requestID: exchange.requestID,
                at: visit.receivedAt,
                tenant: exchange.tenant,
                face: exchange.face,
                operation: exchange.operation,
                durationMicroseconds: microseconds,
                attempt: visit.attempt,
                fault: exchange.orders.fault,
                scenario: exchange.orders.scenario,
                tokenID: exchange.tokenID,
                clientLeft: Task.isCancelled
            )
            let answer = response
            let entry = await OffLoop.run(when: answer.body.count > OffLoop.bodyBytes) {
                JournalEntry(
                    context,
                    request: visit.journaled(request),
                    response: answer,
                    checks: exchange.checks,
                    diagnosis: visit.diagnosis + visit.warnings
                )
            }
            let place = await journal.append(entry)
            if response.delivery.isLong {
                response.clientLeft = { await journal.noteClientLeft(at: place, of: exchange.tenant) }
            }
        }
        audit(visit, request, response.status)
        guard log.isOn(.debug) else { return }
        log(
            .debug,
            "request",
            [
                ("requestId", .string(exchange.requestID)), ("tenant", .string(exchange.tenant.text)),
                ("operation", .string(exchange.operation)), ("status", .number(response.status)),
                ("microseconds", .number(microseconds)), ("diagnosis", .strings(visit.diagnosis)),
            ]
        )
    }
}

extension Pipeline {
    /// False for a request whose world was reset or removed while it ran, and for one that named a tenant there is not:
    /// the journal is of the world as it is.
    private func isOfToday(_ visit: Visit) -> Bool {
        guard let context = visit.context else { return visit.exchange.tenant == .default }
        return tenants.known(context.name) === context
    }
}

extension Delivery {
    /// Whether a client often leaves before the end.
    fileprivate var isLong: Bool {
        switch self {
        case .stall, .dribble: true
        case .normal, .thenClose, .reset, .close, .empty, .truncate, .garbage, .contentLength: false
        }
    }
}

extension Pipeline.Visit {
    /// Codes of warnings, after those that refuse.
    var warnings: [String] {
        exchange.checks.filter(\.passed).compactMap { $0.code?.name }.reduce(into: []) { codes, name in
            if !codes.contains(name), !diagnosis.contains(name) { codes.append(name) }
        }
    }
}

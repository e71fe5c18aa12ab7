import Core
import Masking
import Networks
import Traffic
import Web
import Wire

/// Counts a finished request, and writes it into journal and log.
struct RecordStage: Sendable {
    let isControl: Bool
    /// Nil for the control API, whose calls are not part of a test's traffic.
    let journal: (any Journal)?
    let tenants: TenantDirectory
    let worlds: Worlds
    let metrics: Metrics
    let log: Log
    /// Whether every request is a line at level info.
    let logsRequests: Bool

    /// The entry stands before the answer is handed over, so that a client that was answered finds it. An answer that is
    /// held back takes with it what notes later that the client left.
    func record(_ progress: RequestInProgress, _ response: inout HTTPResponse, _ duration: Duration) async {
        let exchange = progress.exchange
        progress.context?.use(at: worlds.environment.systemNow())
        defer { progress.leave() }
        let microseconds = duration.microseconds
        count(progress, response.status, microseconds)
        if let journal, isOfToday(progress) {
            let context = JournalContext(
                requestID: exchange.requestID,
                at: progress.receivedAt,
                tenant: exchange.tenant,
                face: exchange.face,
                operation: exchange.operation,
                durationMicroseconds: microseconds,
                attempt: progress.attempt,
                fault: exchange.orders.fault,
                scenario: exchange.orders.scenario,
                tokenID: exchange.tokenID,
                clientLeft: Task.isCancelled
            )
            let (answer, route) = (response, progress.destination.route)
            let length = max(answer.body.count, route.bulkMembers.isEmpty ? 0 : exchange.request.body.count)
            let entry = await OffLoop.run(when: length > OffLoop.bodyBytes) {
                JournalEntry(
                    context,
                    request: journaled(exchange, route),
                    response: route.bulkMembers.isEmpty ? answer : shortened(answer, route),
                    checks: exchange.checks,
                    diagnosis: progress.diagnosisWithWarnings
                )
            }
            let place = await journal.append(entry)
            if response.delivery.isLong {
                response.clientLeft = { await journal.noteClientLeft(at: place, of: exchange.tenant) }
            }
        }
        if isControl { audit(progress, response.status) }
        tell(progress, response.status, microseconds)
    }

    /// The request as one line: never its query, headers or body. Who asks is told where every request is to be seen.
    private func tell(_ progress: RequestInProgress, _ status: Int, _ microseconds: Int64) {
        let level = logsRequests ? Log.Level.info : .debug
        guard log.isOn(level) else { return }
        let exchange = progress.exchange
        let received = exchange.received
        let whoAndWhat: [(String, JSON)] = [
            ("method", .string(received.method.rawValue)), ("path", .string(Masking.excerpt(received.path, 200))),
            ("durationMs", .number((microseconds + 500) / 1_000)), ("peer", .string(received.peer)),
        ]
        log(
            level,
            "request",
            (logsRequests ? whoAndWhat : []) + [
                ("requestId", .string(exchange.requestID)), ("tenant", .string(exchange.tenant.text)),
                ("operation", .string(exchange.operation)), ("status", .number(status)),
                ("microseconds", .number(microseconds)), ("diagnosis", .strings(progress.diagnosis)),
            ]
        )
    }

    /// False for a request whose world was reset or removed while it ran, and for one that named a tenant there is not:
    /// the journal is of the world as it is.
    private func isOfToday(_ progress: RequestInProgress) -> Bool {
        guard let context = progress.context else { return progress.exchange.tenant == .default }
        return tenants.known(context.name) === context
    }

    /// The request as the journal keeps it. What is still coded could hide a card number from the masking, so only its
    /// length is told.
    private func journaled(_ exchange: Exchange, _ route: Route) -> HTTPRequest {
        var seen = decoded(exchange)
        if route.body == .file {
            if !seen.body.isEmpty { seen.body = Array(BulkMembers.description(ofFile: seen.body).utf8) }
        } else if !route.bulkMembers.isEmpty {
            seen.body = BulkMembers.shortened(seen.body, route.bulkMembers)
        }
        return seen
    }

    private func shortened(_ response: HTTPResponse, _ route: Route) -> HTTPResponse {
        var seen = response
        seen.body = BulkMembers.shortened(seen.body, route.bulkMembers)
        return seen
    }

    private func decoded(_ exchange: Exchange) -> HTTPRequest {
        guard !exchange.received.body.isEmpty, exchange.received.headers[.contentEncoding] != nil else {
            return exchange.received
        }
        var seen = exchange.received
        if exchange.isDecoded {
            seen.body = exchange.request.body
        } else if ContentCoding(seen.headers) != .identity {
            seen.body = Array("<\(seen.body.count) coded bytes>".utf8)
        }
        return seen
    }

    private func count(_ progress: RequestInProgress, _ status: Int, _ microseconds: Int64) {
        metrics.requestEnded(
            face: progress.exchange.face,
            operation: progress.destination.endpoint == nil ? nil : progress.destination.route.name,
            status: status,
            microseconds: microseconds
        )
        if progress.createdTenant { metrics.countTenantCreated() }
        if isControl { metrics.countControl(controlOutcome(progress, status)) }
        if let code = progress.deciding?.code, let limit = Metrics.Limit(code) { metrics.countRefusal(by: limit) }
    }

    private func controlOutcome(_ progress: RequestInProgress, _ status: Int) -> Metrics.ControlOutcome {
        if progress.isUnauthorized { return .unauthorized }
        if status >= 400 { return .refused }
        return progress.isChange ? .changed : .read
    }

    /// One line for each control call that changes something, or that the token gate refused. No body, no token, no
    /// query: who asked for what, and what came of it.
    private func audit(_ progress: RequestInProgress, _ status: Int) {
        guard log.isOn(.info), progress.isChange || progress.isUnauthorized else { return }
        let exchange = progress.exchange
        let members = progress.unknownMembers
        log(
            .info,
            "control call",
            [
                ("event", .string(progress.isUnauthorized ? "control.unauthorized" : "control.change")),
                ("operation", .string(exchange.operation)), ("tenant", .string(exchange.tenant.text)),
                // A call about a tenant or a thing names it here.
                ("path", .string(Masking.excerpt(exchange.received.path, 200))),
                ("status", .number(status)), ("requestId", .string(exchange.requestID)),
                ("peer", .string(exchange.received.peer)), ("diagnosis", .strings(progress.diagnosis)),
            ] + (members.isEmpty ? [] : [("unknownMembers", .strings(members))])
        )
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

extension Metrics.Limit {
    /// The limit that a refusal is about; nil for a refusal about anything else.
    fileprivate init?(_ code: DiagnosisCode) {
        if code == LongPollFault.tooMany.code {
            self = .longPolls
            return
        }
        switch code.subject as? HTTPFault {
        case .overloaded: self = .requestsInFlight
        case .tenantLimit: self = .tenants
        case .bodyTooLarge: self = .bodyBytes
        case .headersTooLarge: self = .headerBytes
        case .targetTooLong: self = .targetBytes
        case .timeout: self = .time
        default: return nil
        }
    }
}

import Core
import Masking
import Networks
import Traffic
import Web
import Wire

extension Pipeline {
    /// Counts a finished request.
    func count(_ visit: Visit, _ status: Int, _ microseconds: Int64) {
        metrics.requestEnded(
            face: visit.exchange.face,
            operation: visit.route?.route.name,
            status: status,
            microseconds: microseconds
        )
        if visit.createdTenant { metrics.countTenantCreated() }
        if isControl { metrics.countControl(controlOutcome(visit, status)) }
        if let code = visit.deciding?.code, let limit = Metrics.Limit(code) { metrics.countRefusal(by: limit) }
    }

    private func controlOutcome(_ visit: Visit, _ status: Int) -> Metrics.ControlOutcome {
        if visit.isUnauthorized { return .unauthorized }
        if status >= 400 { return .refused }
        return visit.isChange ? .changed : .read
    }

    /// One line for each control call that changes something, or that the token gate refused. No body, no token, no
    /// query: who asked for what, and what came of it.
    func audit(_ visit: Visit, _ request: HTTPRequest, _ status: Int) {
        guard isControl, log.isOn(.info), visit.isChange || visit.isUnauthorized else { return }
        let exchange = visit.exchange
        let members = visit.unknownMembers
        log(
            .info,
            "control call",
            [
                ("event", .string(visit.isUnauthorized ? "control.unauthorized" : "control.change")),
                ("operation", .string(exchange.operation)), ("tenant", .string(exchange.tenant.text)),
                // A call about a tenant or a thing names it here.
                ("path", .string(Masking.excerpt(request.path, 200))),
                ("status", .number(status)), ("requestId", .string(exchange.requestID)),
                ("peer", .string(request.peer)), ("diagnosis", .strings(visit.diagnosis)),
            ] + (members.isEmpty ? [] : [("unknownMembers", .strings(members))])
        )
    }
}

extension Pipeline.Visit {
    /// An operation that changes something when it succeeds.
    var isChange: Bool { route.map { !$0.route.isReading } ?? false }

    /// The control token was missing or wrong.
    var isUnauthorized: Bool {
        deciding?.code == ControlFault.tokenMissing.code || deciding?.code == ControlFault.tokenWrong.code
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

import Core
import Networks
import Traffic
import Wire

/// One request on its way through the stages: the exchange, and what only the pipeline needs to know.
struct RequestInProgress {
    var exchange: Exchange
    var destination: Destination
    /// Why no endpoint was found; nil when one was.
    let obstacle: RouteStage.Obstacle?
    let context: TenantContext?
    let receivedAt: Instant
    let createdTenant: Bool
    /// Changes of the tenant as a whole wait for this request.
    let hasEntered: Bool
    /// The request chose its tenant, and that tenant exists.
    let isTenantNamed: Bool
    /// No id was drawn for the request yet.
    var lacksID: Bool
    /// How often the operation was called with this request id; nil until somebody asked.
    var attempt: Int?
    /// The issuers whose certificate the client showed.
    var certificateIssuers: [String] = []
    /// The check that chose the answer.
    var deciding: Check?

    /// The tenant's fault rules; none where there is no tenant.
    var book: FaultBook { context?.faults ?? .none }

    /// Takes back what the handler noted, as if it had not run.
    mutating func restart(at mark: Exchange.Mark) {
        exchange.restart(at: mark)
        deciding = nil
    }

    /// Changes of the tenant as a whole need not wait for it any more.
    func leave() { if hasEntered { context?.leave() } }

    /// The operation changes something when it succeeds.
    var isChange: Bool { destination.endpoint != nil && !destination.route.isReading }

    /// The control token was missing or wrong.
    var isUnauthorized: Bool {
        deciding?.code == ControlFault.tokenMissing.code || deciding?.code == ControlFault.tokenWrong.code
    }

    /// Members of a control call's document that nobody knows, as pointers that can be shown.
    var unknownMembers: [String] { exchange.members?.unknown(isRefused: deciding != nil) ?? [] }

    /// Codes of the failed checks, each once, the one that chose the answer first; last the scenario that was applied,
    /// which an answer that is not a refusal tells too.
    var diagnosis: [String] {
        var codes: [String] = []
        func add(_ check: Check) {
            if let name = check.code?.name, !codes.contains(name) { codes.append(name) }
        }
        if let deciding { add(deciding) }
        for check in exchange.checks where !check.passed { add(check) }
        if let scenario = exchange.orders.scenario { codes.append(scenario) }
        return codes
    }

    /// The same, and after them the codes of warnings.
    var diagnosisWithWarnings: [String] {
        let codes = diagnosis
        return codes + notices(besides: codes)
    }

    /// The codes of warnings, each once, but for those that are told already. A member that nobody knows is told by name
    /// where the control API tells it.
    func notices(besides codes: [String]) -> [String] {
        var notices: [String] = []
        for check in exchange.checks where check.passed {
            if let name = check.code?.name, !codes.contains(name), !notices.contains(name) { notices.append(name) }
        }
        return notices
    }
}

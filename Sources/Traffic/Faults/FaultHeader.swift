import Core
import Web
import Wire

/// `X-Sandbox-Fault`: a fault for one request only.
package enum FaultHeader: Sendable, Equatable {
    case effect(FaultEffect)
    /// The effect of a rule, whatever the rule matches and however often it fired.
    case rule(String)

    /// What may stand before the equals sign, with an example; `GET /v1/scenarios` shows them.
    package static let shorthands = [
        "delay=500", "status=503", "connection=reset", "networkError=NAME", "decision=yellow",
    ]

    /// - Returns: nil for what is not a fault.
    package init?(_ text: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else {
            guard RequestID.isUsable(text) else { return nil }
            self = .rule(text)
            return
        }
        let (name, value) = (parts[0], parts[1])
        let digits = !value.isEmpty && value.utf8.allSatisfy { (0x30...0x39).contains($0) }
        switch name {
        case "delay":
            guard digits, let length = Int64(value), length <= FaultDelay.limitMilliseconds else { return nil }
            self = .effect(.delay(.fixed(milliseconds: length)))
        case "status":
            guard digits, let status = Int(value), (200...599).contains(status) else { return nil }
            self = .effect(.respond(FaultResponse(status: status, headers: HTTPHeaders(), body: [])))
        case "connection":
            guard let kind = FaultEffect.Break(rawValue: value) else { return nil }
            self = .effect(.connection(kind))
        case "networkError":
            guard !value.isEmpty else { return nil }
            self = .effect(.networkError(value))
        case "decision":
            guard let decision = Decision(rawValue: value) else { return nil }
            self = .effect(.decision(ForcedDecision(decision)))
        default: return nil
        }
    }
}

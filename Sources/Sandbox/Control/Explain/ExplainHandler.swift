import Core
import Networks
import Traffic
import Web
import Wire

/// Why a value is refused, without sending it where it counts (CONTRACT, sections 5 and 8).
struct ExplainHandler: Sendable {
    let services: ControlServices

    var endpoints: [ControlEndpoint] { [.control("explain", .post, "/v1/explain", isReading: true, handler: explain)] }

    func explain(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let request = try ExplainRequest(ControlFields(exchange), ExplainKinds(services.apiFaces))
        let explainer = Explainer(services: services.faces, tenant: exchange.tenant, context: request.context)
        let checks = try await request.explanation.checks(request.value, explainer)
        return .json(["checks": .array(checks.map(ExplainMessage.json))])
    }
}

/// A check as the journal shows it, with evidence and hint always there.
enum ExplainMessage {
    static func json(_ check: Check) -> JSON {
        let shown = JournalCheck(masking: check)
        return shown.json.adding("evidence", .string(shown.evidence ?? "")).adding("hint", .string(shown.hint ?? ""))
    }
}

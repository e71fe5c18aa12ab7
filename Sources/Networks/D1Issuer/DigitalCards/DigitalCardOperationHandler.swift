import Core
import Masking
import Traffic
import Web
import Wire

/// Suspend, resume and delete one digital card (thales-push-provisioning 5.4).
struct DigitalCardOperationHandler: Sendable {
    let services: Services

    var endpoints: [any RoutedEndpoint] {
        let callers = D1IssuerCallers(services: services)
        let card = "/banking/v1/issuers/{issuerId}/digitalCards/{digitalCardId}"
        let events: [TokenEvent] = [.suspend, .resume, .delete]
        return events.map { event in
            Endpoint(
                Route(
                    "d1.\(event.rawValue)IssuerDigitalCard",
                    .post,
                    card + "/operations:\(event.rawValue)",
                    .documented
                ),
                caller: callers
            ) {
                try await perform(event, &$0, $1)
            }
        }
    }

    private func perform(
        _ event: TokenEvent,
        _ exchange: inout Exchange,
        _ caller: D1IssuerCaller
    ) async throws -> HTTPResponse {
        let reason = DigitalCardOperationRequest(&exchange, caller.strictness).reason
        try exchange.refuseIfFailed()
        let (issuerID, id) = (caller.issuerID, exchange.parameters["digitalCardId"])
        exchange.tokenID = id
        let operationID = try await services.decide(&exchange, verifiedWith: [caller.issuer]) {
            world -> Checked<String> in
            let found = try world.view.token(id, issuerID: issuerID, network: nil)
            guard var token = found.token else { return Checked(value: nil, checks: [found.check]) }
            if let fault = try world.apply(event, to: &token, by: .issuer, reason: reason) {
                let check = Check.failed("token.transition", fault, evidence: "it is \(token.state.rawValue)")
                return Checked(value: nil, checks: [found.check, check])
            }
            return Checked(value: Identifiers.operationID(&world.tenant.draws), checks: [found.check])
        }
        return .json(["operationId": .string(operationID), "status": "SUCCESSFUL"])
    }
}

/// `{reason, reasonCode}`; the published schema allows no other property.
struct DigitalCardOperationRequest: Sendable {
    /// The published list is cut off after DEVICE_LOST; DEVICE_STOLEN is inferred.
    private static let codes: Set<String> = ["USER_DECISION", "ISSUER_DECISION", "DEVICE_LOST", "DEVICE_STOLEN"]

    static let body = FieldTable<D1IssuerField>(optional: [.reason, .reasonCode])

    let reason: String

    init(_ exchange: inout Exchange, _ strictness: Strictness) {
        guard exchange.hasDocument else {
            reason = "ISSUER_DECISION"
            return
        }
        var fields = FieldReader(&exchange, Self.body, strictness: strictness)
        let text = fields.optionalString(.reason)
        if let text, !Self.isReason(text) {
            fields.fail(.reason, D1IssuerFault.fieldForm, evidence: "1 to 64 of A–Z a–z 0–9 and space")
        }
        let code = fields.optionalString(.reasonCode)
        if let code, !Self.codes.contains(code) {
            fields.fail(.reasonCode, D1IssuerFault.fieldValue, evidence: Masking.excerpt(code, 64))
        }
        for name in fields.unknownMembers {
            let field = Masking.excerpt(name, 40)
            fields.note(.failed(.member(field), D1IssuerFault.propertyUnknown, evidence: field))
        }
        fields.finish(into: &exchange)
        reason = [code ?? "ISSUER_DECISION", text].compactMap { $0 }.joined(separator: ": ")
    }

    private static func isReason(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x20: true
                default: false
                }
            }
    }
}

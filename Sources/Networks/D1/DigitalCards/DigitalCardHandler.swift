import Core
import Traffic
import Web
import Wire

/// `updateDigitalCard` and `activateDigitalCard(withDigitalCardID:)`: an illegal transition answers `success: false`.
struct DigitalCardHandler: Sendable {
    let services: Services

    var endpoints: [any RoutedEndpoint] {
        let callers = D1Callers(services: services)
        let card = D1Face.basePath + "/client/v1/digital-cards/{digitalCardId}"
        let events: [TokenEvent] = [.activate, .suspend, .resume, .delete]
        return events.map { event in
            Endpoint(
                Route("d1.\(event.rawValue)DigitalCard", .post, card + "/\(event.rawValue)", .inferred),
                caller: callers
            ) { try await change(event, &$0, $1) }
        }
    }

    private func change(
        _ event: TokenEvent,
        _ exchange: inout Exchange,
        _ access: D1Access
    ) async throws -> HTTPResponse {
        let reason = DigitalCardReason(&exchange)
        try exchange.refuseIfFailed()
        let id = exchange.parameters["digitalCardId"]
        // Of a refused operation, too: rules and the journal know a token that was found.
        defer {
            if exchange.checks.contains(where: { $0.name == "digitalCard" && $0.passed }) { exchange.tokenID = id }
        }
        let obstacle = try await services.decide(&exchange) { world -> Checked<Check?> in
            let found = try world.view.digitalCard(id, access.session)
            guard var token = found.token, let card = found.card else {
                return Checked(value: nil, checks: [found.check])
            }
            // A digital card comes to life only on a card that lives; it may be stopped on any.
            if event == .activate || event == .resume, card.state != .active {
                let evidence = "the card is \(card.state.rawValue)"
                let check = Check.failed("card.state", D1Fault.operationNotAllowed, evidence: evidence)
                return Checked(value: nil, checks: [found.check, check])
            }
            let fault = try world.view.lifecycleFault(of: token, event, by: .issuer)
            if let fault {
                let check = Check.failed("digitalCard.transition", fault, evidence: "it is \(token.state.rawValue)")
                return Checked(value: check, checks: [found.check])
            }
            _ = try world.apply(event, to: &token, by: .issuer, reason: reason.text)
            return Checked(value: .some(nil), checks: [found.check])
        }
        // The SDK is told false, not an error (CONTRACT, section 4).
        exchange.note([obstacle].compactMap(\.self))
        return .json(["success": .bool(obstacle == nil)])
    }
}

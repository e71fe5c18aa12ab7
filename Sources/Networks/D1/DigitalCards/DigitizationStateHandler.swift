import Core
import Traffic
import Web
import Wire

/// `cardDigitizationState`, `digitalCardList` and `activateDigitalCard(cardID)`.
struct DigitizationStateHandler: Sendable {
    let services: Services

    var endpoints: [any RoutedEndpoint] {
        let callers = D1Callers(services: services)
        let card = D1Face.basePath + "/client/v1/cards/{cardId}"
        return [
            Endpoint(
                Route("d1.cardDigitizationState", .get, card + "/digitization-state", .inferred),
                caller: callers,
                handler: state
            ),
            Endpoint(
                Route("d1.digitalCardList", .get, card + "/digital-cards", .inferred),
                caller: callers,
                handler: list
            ),
            Endpoint(
                Route("d1.activateCard", .post, card + "/activate", .inferred),
                caller: callers,
                handler: activate
            ),
        ]
    }

    func state(_ exchange: inout Exchange, _ access: D1Access) async throws -> HTTPResponse {
        let subject = CardPath(exchange)
        let found = try await services.worlds.read(exchange.tenant) { view -> Checked<(D1DigitizationState, Check?)> in
            let (card, checks) = try view.d1Card(subject.cardID, access.session, issuerID: subject.issuerID)
            guard let card else { return Checked(value: nil, checks: checks) }
            guard let device = try view.store.record(Device.self, access.session.deviceID) else {
                return Checked(value: nil, checks: checks + [.failed("device", D1Fault.deviceUnknown)])
            }
            let library = try view.passLibrary(of: device, application: access.application.identifier)
                .filtered { $0.card.primaryAccountIdentifier == card.primaryAccountIdentifier }
            let state = view.d1DigitizationState(of: card, in: library, hasWatch: try view.hasWatch(device))
            let reason = VisibilityFault.check(of: library, application: access.application.identifier)
            return Checked(value: (state, reason), checks: checks)
        }
        guard let (state, reason) = exchange.take(found) else { throw Refusal() }
        exchange.note([reason].compactMap(\.self))
        return .json(["state": .string(state.rawValue)])
    }

    func list(_ exchange: inout Exchange, _ access: D1Access) async throws -> HTTPResponse {
        let subject = CardPath(exchange)
        let found = try await services.worlds.read(exchange.tenant) { view -> Checked<[TokenDetails]> in
            let (card, checks) = try view.d1Card(subject.cardID, access.session, issuerID: subject.issuerID)
            return Checked(value: try card.map { try view.liveTokens(of: $0).map(view.details) }, checks: checks)
        }
        guard let items = exchange.take(found) else { throw Refusal() }
        let current = access.session.deviceID
        return .json(["items": .array(items.map { DigitalCardMessage.json($0, currentDeviceID: current) })])
    }

    func activate(_ exchange: inout Exchange, _ access: D1Access) async throws -> HTTPResponse {
        _ = DigitalCardReason(&exchange)
        try exchange.refuseIfFailed()
        let subject = CardPath(exchange)
        let token = try await services.decide(&exchange) { world -> Checked<Token> in
            let (card, checks) = try world.view.d1Card(subject.cardID, access.session, issuerID: subject.issuerID)
            guard let card else { return Checked(value: nil, checks: checks) }
            guard let token = try world.activateDigitalCard(of: card, access.session) else {
                return Checked(value: nil, checks: checks + [.failed("digitalCard.state", D1Fault.nothingPending)])
            }
            return Checked(value: token, checks: checks)
        }
        exchange.tokenID = token.tokenID
        return .json(["success": true])
    }
}

/// The card a path means; `?issuerId=` when two issuers of the session use one id.
struct CardPath: Sendable {
    let cardID: String
    let issuerID: String?

    init(_ exchange: Exchange) {
        cardID = exchange.parameters["cardId"]
        issuerID = exchange.request.queryValue(D1Field.issuerId.rawValue)
    }
}

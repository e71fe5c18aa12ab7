import Core
import Traffic
import Web
import Wire

/// What D1 knows of a card, and of its digital cards.
struct CardReadHandler: Sendable {
    let services: Services

    var endpoints: [any RoutedEndpoint] {
        let callers = D1IssuerCallers(services: services)
        return ["v1", "v2"].flatMap { version in
            let path = "/banking/\(version)/issuers/{issuerId}/cards/{cardId}"
            return [
                Endpoint(
                    Route("d1.getCard", .get, path, version == "v1" ? .documented : .inferred),
                    caller: callers,
                    handler: get
                ),
                Endpoint(
                    Route("d1.listDigitalCards", .get, path + "/digitalCards", .inferred),
                    caller: callers,
                    handler: digitalCards
                ),
            ]
        }
    }

    func get(_ exchange: inout Exchange, _ caller: D1IssuerCaller) async throws -> HTTPResponse {
        let (issuerID, cardID) = (caller.issuerID, exchange.parameters["cardId"])
        let found = try await services.worlds.read(exchange.tenant) { view in
            try view.registeredCard(issuerID: issuerID, cardID: cardID)
        }
        guard let found else { throw exchange.refusal(CardReadHandler.unknown(cardID)) }
        return .json(RegisteredCardMessage.json(found.card, found.details))
    }

    func digitalCards(_ exchange: inout Exchange, _ caller: D1IssuerCaller) async throws -> HTTPResponse {
        let (issuerID, cardID) = (caller.issuerID, exchange.parameters["cardId"])
        let found = try await services.worlds.read(exchange.tenant) { view in
            try view.registeredCard(issuerID: issuerID, cardID: cardID).map { try view.liveTokens(of: $0.card) }
        }
        guard let found else { throw exchange.refusal(CardReadHandler.unknown(cardID)) }
        let items: [JSON] = found.map { token in
            [
                "digitalCardId": .string(token.tokenID), "scheme": .string(token.network.scheme),
                "state": .string(token.state.rawValue.uppercased()), "last4": .string(token.suffix),
                "expiry": .string(token.expiry.mmyy), "tokenRequestorId": .string(token.tokenRequestorID),
            ]
        }
        return .json(["digitalCards": .array(items)])
    }

    static func unknown(_ cardID: String) -> Check {
        .failed("card", D1IssuerFault.cardUnknown, at: .path("cardId"), evidence: String(cardID.prefix(48)))
    }
}

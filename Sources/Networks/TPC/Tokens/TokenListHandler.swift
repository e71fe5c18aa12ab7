import Core
import Crypto
import Traffic
import Web
import Wire

/// `getTokens`: every token the network knows of a card, whatever path made it, deleted ones too.
struct TokenListHandler: Sendable {
    static let body = FieldTable<TPCField>(required: [.scheme, .encryptedPayload])

    let services: Services

    var endpoints: [any RoutedEndpoint] {
        let callers = TPCCallers(services: services, takesCode: false)
        let path = TPCFace.basePath + "/{issuerId}/getTokens"
        return [
            Endpoint(Route("tpc.getTokens", .post, path, .inferred, isReading: true), caller: callers, handler: list)
        ]
    }

    func list(_ exchange: inout Exchange, _ caller: TPCCaller) async throws -> HTTPResponse {
        var fields = FieldReader(&exchange, Self.body, strictness: caller.strictness)
        let network = TPCFields.scheme(&fields)
        let payload = fields.string(.encryptedPayload)
        fields.finish(into: &exchange)
        let opened = try await services.lane.run { try payload.map { try caller.open($0, network: network) } }
        let card = exchange.takeCard(opened)
        guard exchange.failures.isEmpty, let card, let network, let issuer = caller.issuer else { throw Refusal() }
        let items = try await services.worlds.read(exchange.tenant) { view in
            try view.tokens(ofNumber: card.pan, issuerID: issuer.issuerID, network: network).map(view.details)
        }
        let full = network == .mastercard || issuer.policies.fullTokenDetails
        return .json([
            "tokens": .array(items.map { TokenMessage.json($0, full: full) })
        ])
    }
}

/// `Token` of the SDK. As documented, device and requestor name come from Mastercard only; a token that no device holds has
/// no `device`.
enum TokenMessage {
    static func json(_ details: TokenDetails, full: Bool) -> JSON {
        let token = details.token
        var requestor: JSON = ["id": .string(token.tokenRequestorID)]
        if full, let name = details.requestor?.name { requestor = requestor.adding("name", .string(name)) }
        var json: JSON = [
            "id": .string(token.tokenID), "state": .string(token.state.tpcName), "suffix": .string(token.suffix),
            "expiryDate": .string(token.expiry.mmyy),
        ]
        if full, let device = details.device {
            json = json.adding(
                "device",
                [
                    "id": .string(device.deviceID), "name": .string(device.name),
                    "type": .string(device.deviceKind),
                ]
            )
        }
        return json.adding("tokenRequestor", requestor)
    }
}

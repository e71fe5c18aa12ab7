import Core
import Networks
import Traffic
import Web
import Wire

/// Funding cards, masked, and what an issuer does with them.
struct CardHandler: Sendable {
    let services: ControlServices

    var endpoints: [ControlEndpoint] {
        let all = "/v1/cards"
        return [
            .control("listCards", .get, all, query: .page, handler: list),
            .control("createCard", .post, all, handler: create),
            .control("getCard", .get, all + "/{issuerCardRefId}", query: .reading("issuerId"), handler: get),
            .control(
                "cardEvent",
                .post,
                all + "/{issuerCardRefId}/events",
                query: .reading("issuerId"),
                handler: event
            ),
        ]
    }

    func list(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let page = try ListPage(&exchange)
        let shown = try await services.worlds.read(exchange.tenant) { try page.part(of: Card.self, in: $0) }
        return .json(page.list(shown.items.map(CardMessage.json), next: shown.next))
    }

    func get(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let reference = CardSubject(exchange, issuerID: exchange.request.queryValue("issuerId"))
        let found = try await services.worlds.read(exchange.tenant) { try reference.find(in: $0) }
        return .json(CardMessage.json(try found.get()))
    }

    func create(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let fields = try ControlFields(exchange)
        CardDocument.expect(fields)
        let issuerID = try fields.string("issuerId")
        let rules = CardNumberRules(
            policy: services.worlds.environment.panPolicy,
            strictness: exchange.settings.strictness
        )
        let data = try CardDocument.read(fields, rules: rules)
        let consumerID = try fields.optionalString("consumerId", "a consumerId, which is not a card number") { text in
            Consumer.isConsumerID(text) ? text : nil
        }
        let outcome = try await services.worlds.write(exchange.tenant) { world -> Result<Card, Refusal> in
            guard try world.store.record(Issuer.self, issuerID) != nil else {
                return .failure(fields.refusal("issuerId", .issuerNotFound, evidence: issuerID))
            }
            guard try world.view.card(issuerID: issuerID, reference: data.reference) == nil else {
                return .failure(fields.refusal("issuerCardRefId", .cardExists))
            }
            return .success(try world.register(data, issuerID: issuerID, consumerID: consumerID))
        }
        return .json(CardMessage.json(try outcome.get()), status: 201)
    }

    func event(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let fields = try ControlFields(exchange)
        let rules = CardNumberRules(
            policy: services.worlds.environment.panPolicy,
            strictness: exchange.settings.strictness
        )
        let event = try CardDocument.event(fields, rules: rules)
        let reference = CardSubject(exchange, issuerID: try CardDocument.issuerID(fields, exchange))
        let outcome = try await services.worlds.write(exchange.tenant) { world -> Result<Card, Refusal> in
            switch try reference.find(in: world.view) {
            case .failure(let refusal): return .failure(refusal)
            case .success(let card):
                if case .replace(let pan?, _) = event, PaymentNetwork(pan: pan.digits) != card.network {
                    // Tokens stay, and a token has one network for its whole life.
                    let evidence = "the card is \(card.network.scheme)"
                    return .failure(
                        fields.refusal("pan", .failed("card.network", CardFault.networkMismatch, evidence: evidence))
                    )
                }
                guard let changed = try world.apply(event, to: card, policy: rules.policy) else {
                    return .failure(Refusal(.failed("card.state", ControlFault.cardClosed)))
                }
                return .success(changed)
            }
        }
        return .json(CardMessage.json(try outcome.get()))
    }
}

/// The card a path means; two issuers may use one reference.
struct CardSubject: Sendable {
    private let reference: String
    private let issuerID: String?

    init(_ exchange: Exchange, issuerID: String?) {
        reference = exchange.parameters["issuerCardRefId"]
        self.issuerID = issuerID
    }

    func find(in view: View) throws -> Result<Card, Refusal> {
        let cards = try view.store.records(Card.self, "reference", reference)
            .filter { issuerID == nil || $0.issuerID == issuerID }
        guard cards.count <= 1 else {
            let issuers = cards.map(\.issuerID).joined(separator: ", ")
            return .failure(Refusal(.failed("card", ControlFault.cardAmbiguous, evidence: issuers)))
        }
        guard let card = cards.first else { return .failure(Refusal(.failed("card", CardFault.cardUnknown))) }
        return .success(card)
    }
}

/// A card as the control API prints it.
enum CardMessage {
    static func json(_ card: Card) -> JSON {
        var json: JSON = ["issuerCardRefId": .string(card.reference), "issuerId": .string(card.issuerID)]
        if let consumer = card.consumerID { json = json.adding("consumerId", .string(consumer)) }
        return json.adding("network", .string(card.network.rawValue))
            .adding("panSuffix", .string(card.panSuffix)).adding("expiryDate", .string(card.expiry.mmyy))
            .adding("state", .string(card.state.rawValue))
            .adding("primaryAccountIdentifier", .string(card.primaryAccountIdentifier))
    }
}

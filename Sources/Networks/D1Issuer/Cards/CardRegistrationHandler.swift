import Core
import Crypto
import Traffic
import Web
import Wire

/// Cards: registered one by one (version 2), or as a consumer's list (version 1).
struct CardRegistrationHandler: Sendable {
    /// Cards in one call of version 1.
    private static let maximumCards = 20

    let services: Services

    var endpoints: [any RoutedEndpoint] {
        let callers = D1IssuerCallers(services: services)
        let two = "/banking/v2/issuers/{issuerId}/cards"
        let one = "/banking/v1/issuers/{issuerId}/consumers/{consumerId}/cards"
        return [
            Endpoint(Route("d1.registerCard", .put, two + "/{cardId}", .documented), caller: callers, handler: put),
            Endpoint(Route("d1.createCard", .post, two, .inferred), caller: callers, handler: create),
            Endpoint(Route("d1.registerConsumerCards", .put, one, .documented), caller: callers, handler: putList),
        ]
    }

    func put(_ exchange: inout Exchange, _ caller: D1IssuerCaller) async throws -> HTTPResponse {
        let cardID = D1IssuerFields.cardID(
            exchange.parameters["cardId"],
            "path.cardId",
            at: .path("cardId"),
            &exchange
        )
        var fields = FieldReader(&exchange, CardRegistrationRequest.putBody, strictness: caller.strictness)
        // A path that is wrong was noted; the rest is read all the same.
        let request = CardRegistrationRequest(&fields, cardID: cardID ?? "-", consumerID: nil, &exchange)
        fields.finish(into: &exchange)
        _ = try await register([request], caller, &exchange)
        return .empty(status: 204)
    }

    func create(_ exchange: inout Exchange, _ caller: D1IssuerCaller) async throws -> HTTPResponse {
        var fields = FieldReader(&exchange, CardRegistrationRequest.createBody, strictness: caller.strictness)
        let request = CardRegistrationRequest(&fields, cardID: nil, consumerID: nil, &exchange)
        fields.finish(into: &exchange)
        let cards = try await register([request], caller, &exchange)
        return .json(["cardId": .optional(cards.first?.reference)], status: 201)
    }

    func putList(_ exchange: inout Exchange, _ caller: D1IssuerCaller) async throws -> HTTPResponse {
        let consumerID = D1IssuerFields.consumerID(&exchange)
        var fields = FieldReader(&exchange, CardRegistrationRequest.listBody, strictness: caller.strictness)
        let isList = fields.value(.cards)?.array != nil
        let members = isList ? fields.objects(.cards, most: Self.maximumCards) : nil
        if !(1...Self.maximumCards).contains(members?.count ?? 0) {
            fields.fail(.cards, .malformed, evidence: "a list of 1 to \(Self.maximumCards) cards is wanted")
        }
        var requests: [CardRegistrationRequest] = []
        for var member in members?.readers ?? [] {
            requests.append(
                CardRegistrationRequest(&member, cardID: nil, consumerID: consumerID ?? "-", &exchange)
            )
            member.finish(into: &exchange)
        }
        fields.finish(into: &exchange)
        _ = try await register(requests, caller, &exchange)
        return .empty(status: 204)
    }

    /// All of them or none.
    private func register(
        _ requests: [CardRegistrationRequest],
        _ caller: D1IssuerCaller,
        _ exchange: inout Exchange
    ) async throws -> [Card] {
        let rules = CardNumberRules(
            policy: services.worlds.environment.panPolicy,
            strictness: caller.strictness,
            now: caller.now
        )
        let recipients = EncryptedCard.recipients(services)
        let opened = try await services.lane.run {
            try requests.map { request in
                try request.encryptedData.map { try EncryptedCard.open($0, recipients: recipients, rules: rules) }
            }
        }
        var registrations: [CardRegistration] = []
        for (request, card) in zip(requests, opened) {
            guard let content = card.flatMap({ exchange.take($0.at(D1IssuerField.encryptedData.place)) }),
                let pan = content.pan,
                let expiry = content.expiry, let cardID = request.cardID, let consumerID = request.consumerID
            else { continue }
            exchange.subject.note(pan)
            registrations.append(
                CardRegistration(
                    cardID: cardID,
                    consumerID: consumerID,
                    productID: request.productID,
                    isActive: request.isActive,
                    pan: pan,
                    expiry: expiry,
                    holderName: request.holderName
                )
            )
        }
        try exchange.refuseIfFailed()
        guard registrations.count == requests.count else { throw Refusal() }
        let (issuerID, wanted) = (caller.issuerID, registrations)
        return try await services.decide(&exchange, verifiedWith: [caller.issuer]) { world -> Checked<[Card]> in
            let checks = try wanted.flatMap { try world.view.checks(of: $0, issuerID: issuerID) }
            guard checks.allSatisfy(\.passed) else { return Checked(value: nil, checks: checks) }
            return Checked(value: try wanted.map { try world.register($0, issuerID: issuerID) }, checks: checks)
        }
    }
}

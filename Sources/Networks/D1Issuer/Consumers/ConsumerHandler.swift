import Core
import Traffic
import Web
import Wire

/// Consumers: register, read, remove, and the cards of one.
struct ConsumerHandler: Sendable {
    let services: Services

    var endpoints: [any RoutedEndpoint] {
        let callers = D1IssuerCallers(services: services)
        return ["v1", "v2"].flatMap { version in
            let path = "/banking/\(version)/issuers/{issuerId}/consumers/{consumerId}"
            return [
                Endpoint(Route("d1.registerConsumer", .put, path, .documented), caller: callers, handler: put),
                Endpoint(Route("d1.getConsumer", .get, path, .inferred), caller: callers, handler: get),
                Endpoint(Route("d1.deleteConsumer", .delete, path, .inferred), caller: callers, handler: delete),
                Endpoint(
                    Route("d1.listConsumerCards", .get, path + "/cards", .inferred),
                    caller: callers,
                    handler: cards
                ),
            ]
        }
    }

    func put(_ exchange: inout Exchange, _ caller: D1IssuerCaller) async throws -> HTTPResponse {
        let consumerID = D1IssuerFields.consumerID(&exchange)
        let details = ConsumerMessage.details(&exchange, caller.strictness)
        try exchange.refuseIfFailed()
        guard let consumerID else { throw Refusal() }
        let issuerID = caller.issuerID
        try await services.decide(&exchange, verifiedWith: [caller.issuer]) { world in
            var consumer =
                try world.view.consumer(issuerID: issuerID, consumerID: consumerID)
                ?? Consumer(issuerID: issuerID, consumerID: consumerID)
            for member in details.members { consumer.details[member.key] = member.value }
            try world.store.put(consumer)
            return Checked(value: (), checks: [])
        }
        return .empty(status: 204)
    }

    func get(_ exchange: inout Exchange, _ caller: D1IssuerCaller) async throws -> HTTPResponse {
        let consumer = try await consumer(&exchange, caller)
        var json: JSON = [
            "consumerId": .string(consumer.consumerID), "state": .string(consumer.state.rawValue.uppercased()),
        ]
        for member in consumer.details.members { json = json.adding(member.key, member.value) }
        return .json(json)
    }

    func delete(_ exchange: inout Exchange, _ caller: D1IssuerCaller) async throws -> HTTPResponse {
        let consumer = try await consumer(&exchange, caller)
        try await services.decide(&exchange, verifiedWith: [caller.issuer]) { world in
            Checked(value: try world.removeConsumer(consumer), checks: [])
        }
        return .empty(status: 204)
    }

    func cards(_ exchange: inout Exchange, _ caller: D1IssuerCaller) async throws -> HTTPResponse {
        let consumer = try await consumer(&exchange, caller)
        let found = try await services.worlds.read(exchange.tenant) { view in
            try view.cards(ofConsumer: consumer.consumerID, issuerID: consumer.issuerID).map { card in
                RegisteredCardMessage.json(card, try view.store.record(CardDetails.self, card.recordID))
            }
        }
        return .json(["cards": .array(found)])
    }

    private func consumer(_ exchange: inout Exchange, _ caller: D1IssuerCaller) async throws -> Consumer {
        let consumerID = D1IssuerFields.consumerID(&exchange)
        try exchange.refuseIfFailed()
        let issuerID = caller.issuerID
        let found = try await services.worlds.read(exchange.tenant) { view in
            try consumerID.flatMap { try view.consumer(issuerID: issuerID, consumerID: $0) }
        }
        guard let found else {
            throw exchange.refusal(.failed("consumer", CardRegistryFault.consumerUnknown, at: .path("consumerId")))
        }
        return found
    }
}

/// Personal data of a consumer, as version 2 takes it. All of it is optional; version 1 has a `state` that is ignored.
enum ConsumerMessage {
    static let body = FieldTable<D1IssuerField>(
        optional: [.language, .firstName, .lastName, .email, .mobilePhoneNumber, .residencyAddress, .state]
    )
    private static let texts: [(field: D1IssuerField, limit: Int)] = [
        (.firstName, 64), (.lastName, 64), (.email, 64),
    ]

    static func details(_ exchange: inout Exchange, _ strictness: Strictness) -> JSONObject {
        var details = JSONObject()
        guard exchange.hasDocument else { return details }
        var fields = FieldReader(&exchange, body, strictness: strictness)
        if let language = fields.optionalString(.language) {
            if !isLanguage(language) {
                fields.fail(.language, D1IssuerFault.fieldForm, evidence: "for example en-US is wanted")
            }
            details[D1IssuerField.language.rawValue] = .string(language)
        }
        for (field, limit) in texts {
            guard let text = fields.optionalString(field) else { continue }
            if text.isEmpty || text.count > limit {
                let evidence = "\(text.count) characters; 1 to \(limit) are wanted"
                fields.fail(field, D1IssuerFault.fieldForm, evidence: evidence)
            }
            details[field.rawValue] = .string(text)
        }
        for field in [D1IssuerField.mobilePhoneNumber, .residencyAddress] {
            guard let value = fields.value(field) else { continue }
            if value.object == nil {
                fields.fail(field, .wrongType, evidence: "an object is wanted, found \(value.typeName)")
            }
            details[field.rawValue] = value
        }
        fields.finish(into: &exchange)
        return details
    }

    /// `^[a-z]{2}-[a-zA-Z]{2}$` (thales-push-provisioning 5.3).
    private static func isLanguage(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.count == 5 && bytes[2] == 0x2D && bytes[..<2].allSatisfy { (0x61...0x7A).contains($0) }
            && bytes[3...].allSatisfy { (0x61...0x7A).contains($0 | 0x20) }
    }
}

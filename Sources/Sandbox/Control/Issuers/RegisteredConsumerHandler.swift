import Core
import Masking
import Networks
import Traffic
import Web
import Wire

/// Consumers: the cardholders that an issuer registered.
struct RegisteredConsumerHandler: Sendable {
    let services: ControlServices

    var endpoints: [ControlEndpoint] {
        let all = "/v1/issuers/{issuerId}/consumers"
        return [
            .control("listConsumers", .get, all, handler: list),
            .control("getConsumer", .get, all + "/{consumerId}", handler: get),
            .control("putConsumer", .put, all + "/{consumerId}", handler: put),
            .control("deleteConsumer", .delete, all + "/{consumerId}", handler: delete),
        ]
    }

    func list(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let id = exchange.parameters["issuerId"]
        let found = try await services.worlds.read(exchange.tenant) { view in
            try view.store.record(Issuer.self, id).map { _ in try view.store.records(Consumer.self, "issuer", id) }
        }
        guard let found else { throw RegisteredConsumerHandler.issuerUnknown(id) }
        return .json(["items": .array(found.map(RegisteredConsumerHandler.json))])
    }

    func get(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let id = RegisteredConsumerHandler.recordID(exchange)
        guard let found = try await services.worlds.read(exchange.tenant, { try $0.store.record(Consumer.self, id) })
        else { throw RegisteredConsumerHandler.unknown(exchange) }
        return .json(RegisteredConsumerHandler.json(found))
    }

    /// What a document does not name stays as it was.
    func put(_ exchange: inout Exchange) async throws -> HTTPResponse {
        var state: Consumer.State?
        if exchange.hasDocument {
            let fields = try ControlFields(exchange)
            fields.expect("state")
            state = try fields.word("state", Consumer.State.self)
        }
        let (issuerID, consumerID) = (exchange.parameters["issuerId"], exchange.parameters["consumerId"])
        guard Consumer.isConsumerID(consumerID) else {
            let evidence = Masking.excerpt(consumerID, 64)
            throw Refusal(.failed("consumer", ControlFault.consumerIDForm, evidence: evidence))
        }
        let wanted = state
        let isKnown = try await services.worlds.write(exchange.tenant) { world in
            guard try world.store.record(Issuer.self, issuerID) != nil else { return false }
            let id = Consumer.recordID(issuerID: issuerID, consumerID: consumerID)
            var consumer =
                try world.store.record(Consumer.self, id) ?? Consumer(issuerID: issuerID, consumerID: consumerID)
            consumer.state = wanted ?? consumer.state
            try world.store.put(consumer)
            return true
        }
        guard isKnown else { throw RegisteredConsumerHandler.issuerUnknown(issuerID) }
        return .empty(status: 204)
    }

    func delete(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let id = RegisteredConsumerHandler.recordID(exchange)
        let existed = try await services.worlds.write(exchange.tenant) { world in
            guard try world.store.record(Consumer.self, id) != nil else { return false }
            try world.store.remove(Consumer.self, id)
            return true
        }
        guard existed else { throw RegisteredConsumerHandler.unknown(exchange) }
        return .empty(status: 204)
    }

    private static func recordID(_ exchange: Exchange) -> String {
        Consumer.recordID(issuerID: exchange.parameters["issuerId"], consumerID: exchange.parameters["consumerId"])
    }

    private static func json(_ consumer: Consumer) -> JSON {
        ["consumerId": .string(consumer.consumerID), "state": .string(consumer.state.rawValue)]
    }

    private static func unknown(_ exchange: Exchange) -> Refusal {
        let evidence = Masking.excerpt(exchange.parameters["consumerId"], 64)
        return Refusal(.failed("consumer", ControlFault.consumerNotFound, evidence: evidence))
    }

    private static func issuerUnknown(_ id: String) -> Refusal {
        Refusal(.failed("issuer", ControlFault.issuerNotFound, evidence: Masking.excerpt(id, 16)))
    }
}

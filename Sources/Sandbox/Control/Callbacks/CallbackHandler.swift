import Core
import Networks
import Traffic
import Web
import Wire

/// Outgoing calls with whole bodies. They are queued with the change they tell of; this version does not deliver yet.
struct CallbackHandler: Sendable {
    let services: ControlServices

    var endpoints: [ControlEndpoint] {
        [
            .control("listCallbacks", .get, "/v1/callbacks", query: .page(and: "tokenId"), handler: list),
            .control("redeliverCallback", .post, "/v1/callbacks/{id}/redeliver", handler: redeliver),
        ]
    }

    func list(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let page = try ListPage(&exchange)
        let tokenID = exchange.request.queryValue("tokenId")
        let callbacks = try await services.worlds.read(exchange.tenant) { try $0.store.records(Callback.self) }
            .filter { tokenID == nil || $0.tokenID == tokenID }
        let shown = page.part(of: callbacks) { $0.recordID }
        return .json(page.list(shown.items.map(CallbackMessage.json), next: shown.next))
    }

    func redeliver(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let id = exchange.parameters["id"]
        let callback = try await services.worlds.write(exchange.tenant) { world -> Callback? in
            guard var callback = try world.store.record(Callback.self, id) else { return nil }
            callback.state = .queued
            try world.store.put(callback)
            return callback
        }
        guard let callback else {
            throw Refusal(.failed("callback", ControlFault.callbackNotFound, evidence: String(id.prefix(40))))
        }
        let note = "Queued. Delivery of outgoing calls follows in a later version; read the body here meanwhile."
        return .json(CallbackMessage.json(callback).adding("note", .string(note)), status: 202)
    }
}

/// A callback as the control API prints it.
enum CallbackMessage {
    static func json(_ callback: Callback) -> JSON {
        [
            "id": .string(callback.callbackID), "face": .string(callback.face),
            "operation": .string(callback.operation), "issuerId": .string(callback.issuerID),
            "tokenId": .optional(callback.tokenID), "url": .string(callback.url), "body": callback.body,
            "attempts": [], "state": .string(callback.state.rawValue),
        ]
    }
}

import Core
import Masking
import Networks
import Traffic
import Web
import Wire

/// Tokens: any state in one call, events by any party, and the inbox of one-time codes.
struct TokenHandler: Sendable {
    let services: ControlServices

    var endpoints: [ControlEndpoint] {
        let all = "/v1/tokens"
        return [
            .control("listTokens", .get, all, query: .page, handler: list),
            .control("createToken", .post, all, handler: create),
            .control("getToken", .get, all + "/{tokenId}", handler: get),
            .control("tokenEvent", .post, all + "/{tokenId}/events", handler: event),
            .control("listActivationCodes", .get, "/v1/activation-codes", query: .reading("tokenId"), handler: codes),
        ]
    }

    func list(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let page = try ListPage(&exchange)
        let tokens = try await services.worlds.read(exchange.tenant) { view in
            let shown = try page.part(of: Token.self, in: view)
            return (items: try shown.items.map { try TokenDocument($0, in: view) }, next: shown.next)
        }
        return .json(page.list(tokens.items.map(\.json), next: tokens.next))
    }

    func get(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let id = exchange.parameters["tokenId"]
        let token = try await services.worlds.read(exchange.tenant) { view in
            try view.store.record(Token.self, id).map { try TokenDocument($0, in: view) }
        }
        guard let token else { throw unknown(id) }
        return .json(token.json)
    }

    func create(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let wanted = try WantedToken(ControlFields(exchange))
        let outcome = try await services.worlds.write(exchange.tenant) { try wanted.make(in: $0) }
        return .json(try outcome.get().json, status: 201)
    }

    func event(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let id = exchange.parameters["tokenId"]
        let fields = try ControlFields(exchange)
        fields.expect("event", "by", "reason")
        let event = try fields.requiredWord("event", TokenDocument.Event.self)
        let actor = try fields.word("by", LifecycleActor.self) ?? .issuer
        let reason = try fields.optionalString("reason").map { Masking.excerpt($0, 200) }
        let outcome = try await services.worlds.write(exchange.tenant) { world -> Result<TokenDocument, Refusal> in
            guard var token = try world.store.record(Token.self, id) else { return .failure(unknown(id)) }
            guard let lifecycleEvent = event.lifecycleEvent else {
                try world.unlockActivation(of: token)
                return .success(try TokenDocument(token, in: world.view))
            }
            if let fault = try world.apply(lifecycleEvent, to: &token, by: actor, reason: reason) {
                return .failure(
                    Refusal(.failed("token.transition", fault, evidence: "the token is \(token.state.rawValue)"))
                )
            }
            return .success(try TokenDocument(token, in: world.view))
        }
        return .json(try outcome.get().json)
    }

    func codes(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let tokenID = exchange.request.queryValue("tokenId")
        let codes = try await services.worlds.read(exchange.tenant) { try $0.store.records(ActivationCode.self) }
            .filter { tokenID == nil || $0.tokenID == tokenID }
        return .json([
            "items": .array(
                codes.map { code in
                    [
                        "tokenId": .string(code.tokenID), "method": .string(code.method), "code": .string(code.code),
                        "expiresAt": .string(RFC3339.format(code.expiresAt)),
                        "attemptsLeft": .number(max(0, code.attemptsLeft)),
                    ]
                }
            )
        ])
    }

    private func unknown(_ id: String) -> Refusal {
        Refusal(.failed("token", TokenFault.unknown, evidence: Masking.excerpt(id, 64)))
    }
}

import Core
import Crypto
import Masking
import Networks
import Traffic
import Web
import Wire

/// Tokens of the control API that are good for one tenant: what a team gets that shares the server with others.
struct TenantTokenHandler: Sendable {
    /// Most tokens of one tenant.
    static let limit = 100

    let services: ControlServices

    var endpoints: [ControlEndpoint] {
        let all = TenantHandler.path + "/tokens"
        return [
            .control("listTenantTokens", .get, all, handler: list),
            .control("createTenantToken", .post, all, handler: create),
            .control("getTenantToken", .get, all + "/{id}", handler: get),
            .control("deleteTenantToken", .delete, all + "/{id}", handler: delete),
        ]
    }

    func list(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let found = try await services.worlds.read(TenantHandler.name(exchange)) {
            try $0.store.records(TenantToken.self)
        }
        return .json(["items": .array(found.map { json($0) })])
    }

    func get(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let id = exchange.parameters["id"]
        let name = try TenantHandler.name(exchange)
        guard let found = try await services.worlds.read(name, { try $0.store.record(TenantToken.self, id) }) else {
            throw unknown(id)
        }
        return .json(json(found))
    }

    /// The answer alone has the token. It is drawn by the system and not from the tenant's seed, which others may know.
    func create(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let name = try TenantHandler.name(exchange)
        let fields = try ControlFields(exchange)
        fields.expect("access")
        let access = try fields.required("access", fields.word("access", TenantToken.Access.self))
        _ = try await services.tenants.context(for: name)
        var draws = SystemRandomNumberGenerator()
        func random(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255, using: &draws) } }
        let secret = Base64.encode(random(32), .url)
        let token = TenantToken(id: "tok-" + Hex.encode(random(8)), access: access, token: secret)
        let isKept = try await services.worlds.write(name) { world in
            guard try world.store.records(TenantToken.self).count < TenantTokenHandler.limit else { return false }
            try world.store.put(token)
            return true
        }
        guard isKept else {
            let evidence = String(TenantTokenHandler.limit)
            throw Refusal(.failed("tenant.token", ControlFault.accessTokenLimit, evidence: evidence))
        }
        var response = HTTPResponse.json(json(token).adding("token", .string(secret)), status: 201)
        response.headers[.cacheControl] = "no-store"
        return response
    }

    func delete(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let id = exchange.parameters["id"]
        let existed = try await services.worlds.write(TenantHandler.name(exchange)) { world in
            guard try world.store.record(TenantToken.self, id) != nil else { return false }
            try world.store.remove(TenantToken.self, id)
            return true
        }
        guard existed else { throw unknown(id) }
        return .empty(status: 204)
    }

    private func json(_ token: TenantToken) -> JSON {
        ["id": .string(token.id), "access": .string(token.access.rawValue)]
    }

    private func unknown(_ id: String) -> Refusal {
        Refusal(.failed("tenant.token", ControlFault.accessTokenNotFound, evidence: Masking.excerpt(id, 64)))
    }
}

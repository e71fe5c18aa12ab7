import Core
import Traffic
import Web
import Wire

/// How exactly a login is taken: each token by the key that it names, the request by the strictest of them.
struct LoginStrictness: Sendable {
    fileprivate let tenant: Strictness
    fileprivate let tokens: [String: Strictness]

    /// A token without a known issuer is taken as the tenant wants it.
    func of(_ token: String) -> Strictness { tokens[token] ?? tenant }

    /// The form of the request.
    var whole: Strictness { Strictness.strictest(Array(tokens.values)) ?? tenant }
}

/// Nobody is logged in yet. The tokens of the body are looked at before anything in them is trusted, for how exactly they
/// are to be taken.
struct LoginCallers: CallerStage {
    let services: Services

    func strictness(for exchange: Exchange) async throws -> Strictness { try await look(exchange).whole }
    func identify(_ exchange: inout Exchange) async throws -> LoginStrictness { try await look(exchange) }

    private func look(_ exchange: Exchange) async throws -> LoginStrictness {
        let items = (try? JSON.parse(exchange.request.body))?["issuerTokens"]?.array ?? []
        let texts = items.prefix(LoginRequest.maximumTokens).compactMap(\.string)
        let tenant = exchange.settings.strictness
        let tokens = try await services.worlds.read(exchange.tenant) { view in
            var found: [String: Strictness] = [:]
            for text in texts {
                let claimed = UnverifiedToken(text, field: "issuerTokens", strictness: .lenient)
                guard let id = claimed.issuerID, let issuer = try view.store.record(Issuer.self, id) else { continue }
                found[text] = issuer.strictness(of: text, use: .issuerToken, tenant: tenant)
            }
            return found
        }
        return LoginStrictness(tenant: tenant, tokens: tokens)
    }
}

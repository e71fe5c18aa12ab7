import Core
import Traffic
import Web
import Wire

/// How exactly a login is taken: each token by the key that it names, the request by the strictest of them.
struct LoginStrictness: Sendable {
    private let tenant: Strictness
    private let tokens: [String: Strictness]

    /// Looks at the tokens of the body before anything in them is trusted.
    init(_ exchange: Exchange, _ services: Services) async throws {
        let items = (try? JSON.parse(exchange.request.body))?["issuerTokens"]?.array ?? []
        let texts = items.prefix(LoginRequest.maximumTokens).compactMap(\.string)
        let tenant = exchange.settings.strictness
        self.tenant = tenant
        tokens = try await services.worlds.read(exchange.tenant) { view in
            var found: [String: Strictness] = [:]
            for text in texts {
                let claimed = IssuerToken.parse(text, field: "issuerTokens", strictness: .lenient)
                guard let id = claimed.issuerID, let issuer = try view.store.record(Issuer.self, id) else { continue }
                found[text] = issuer.strictness(of: text, use: .issuerToken, tenant: tenant)
            }
            return found
        }
    }

    /// A token without a known issuer is taken as the tenant wants it.
    func of(_ token: String) -> Strictness { tokens[token] ?? tenant }

    /// The form of the request.
    var whole: Strictness { Strictness.strictest(Array(tokens.values)) ?? tenant }
}

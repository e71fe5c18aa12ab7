import Core
import Crypto
import Traffic
import Web
import Wire

/// `oauth2/token`: an ES256 assertion for a bearer of 15 minutes (thales-push-provisioning 5.1).
struct TokenEndpointHandler: Sendable {
    static let grantType = "urn:ietf:params:oauth:grant-type:jwt-bearer"
    /// What the sandbox's bearers may do: everything that is served.
    static let scope = "d1-api:consumer:full d1-api:card:full d1-api:digital-card:full"

    let services: Services

    var operations: [Operation] {
        [Operation("d1.token", .post, "/authz/v1/oauth2/token", .documented, body: .form, handler: token)]
    }

    func token(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let request = TokenRequest(&exchange)
        try exchange.refuseIfFailed()
        guard let text = request.assertion else { throw Refusal() }
        let strictness = exchange.settings.strictness
        let assertion = IssuerToken.parse(text, field: "assertion", strictness: strictness)
        let found = try await services.vault.read(exchange.tenant) { view in
            (issuer: try assertion.issuerID.flatMap { try view.store.record(Issuer.self, $0) }, now: view.now)
        }
        let checked = await services.lane.run {
            D1Assertion.verify(assertion, issuer: found.issuer, now: found.now, strictness: strictness)
        }
        guard let value = exchange.take(checked), exchange.failures.isEmpty else { throw Refusal() }
        let outcome = try await services.vault.write(exchange.tenant) { world in try world.giveBearer(for: value) }
        guard let bearer = outcome else {
            throw exchange.refusal(.failed("assertion.jti", AuthorizationCodeFault.replayed))
        }
        var response = HTTPResponse.json([
            "access_token": .string(bearer), "expires_in": .number(D1Bearer.lifeSeconds), "token_type": "Bearer",
            "scope": .string(TokenEndpointHandler.scope),
        ])
        // RFC 6749, section 5.1.
        response.headers[HTTPHeaderName("cache-control")] = "no-store"
        return D1IssuerCaller.correlated(response, exchange)
    }
}

/// The form of the token endpoint.
struct TokenRequest: Sendable {
    let assertion: String?

    init(_ exchange: inout Exchange) {
        // The body has the form of a query.
        let body = HTTPRequest(method: .post, target: "/?" + String(decoding: exchange.request.body, as: UTF8.self))
        var object = JSONObject()
        for (name, value) in body.query {
            if object[name] != nil {
                exchange.note(.failed("body.\(Masking.excerpt(name, 40))", D1RegistryFault.parameterTwice))
            }
            object[name] = .string(value)
        }
        var fields = FieldReader(object: object, strictness: exchange.settings.strictness)
        if let grant = fields.string(.grantType), grant != TokenEndpointHandler.grantType {
            fields.note(.failed("body.grant_type", D1RegistryFault.grantType, evidence: Masking.excerpt(grant, 80)))
        }
        assertion = fields.string(.assertion)
        _ = fields.optionalString(.scope)
        fields.finish(into: &exchange)
    }
}

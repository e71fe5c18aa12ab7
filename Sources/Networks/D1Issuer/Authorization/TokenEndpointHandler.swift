import Core
import Crypto
import Masking
import Traffic
import Web
import Wire

/// `oauth2/token`: an ES256 assertion for a bearer of 15 minutes (thales-push-provisioning 5.1).
struct TokenEndpointHandler: Sendable {
    static let grantType = "urn:ietf:params:oauth:grant-type:jwt-bearer"
    /// What the sandbox's bearers may do: everything that is served.
    static let scope = "d1-api:consumer:full d1-api:card:full d1-api:digital-card:full"

    let services: Services

    var endpoints: [any RoutedEndpoint] {
        let path = "/authz/v1/oauth2/token"
        return [
            Endpoint(
                Route("d1.token", .post, path, .documented, body: .form),
                caller: AssertionCallers(services: services),
                handler: token
            )
        ]
    }

    func token(_ exchange: inout Exchange, _ subject: AssertionSubject) async throws -> HTTPResponse {
        exchange.subject.note(issuerID: subject.issuer?.issuerID)
        let request = TokenRequest(&exchange, strictness: subject.strictness)
        try exchange.refuseIfFailed()
        guard let text = request.assertion else { throw Refusal() }
        let assertion = UnverifiedToken(text, field: D1Assertion.field, strictness: subject.strictness)
        let checked = await services.lane.run {
            D1Assertion.verify(
                assertion,
                issuer: subject.issuer,
                now: subject.now,
                strictness: subject.strictness
            )
        }
        guard let value = exchange.take(checked.at(D1IssuerField.assertion.place)), exchange.failures.isEmpty else {
            throw Refusal()
        }
        let bearer = try await services.decide(&exchange, verifiedWith: [subject.issuer]) { world in
            let bearer = try world.giveBearer(for: value)
            let isTold = bearer == nil || value.hasIdentifier
            let replay = value.replayCheck(isSpent: bearer == nil).at(D1IssuerField.assertion.place)
            return Checked(value: bearer, checks: isTold ? [replay] : [])
        }
        var response = HTTPResponse.json([
            "access_token": .string(bearer), "expires_in": .number(D1Bearer.lifeSeconds), "token_type": "Bearer",
            "scope": .string(TokenEndpointHandler.scope),
        ])
        // RFC 6749, section 5.1.
        response.headers[HTTPHeaderName("cache-control")] = "no-store"
        return response
    }
}

/// Whose assertion it is, before anything in it is trusted.
struct AssertionSubject: Sendable {
    let issuer: Issuer?
    let now: Instant
    let strictness: Strictness
}

/// Finds the issuer that the assertion names, and the strictness of the key that it names.
struct AssertionCallers: CallerStage {
    let services: Services

    func strictness(for exchange: Exchange) async throws -> Strictness { try await subject(exchange).strictness }
    func identify(_ exchange: inout Exchange) async throws -> AssertionSubject { try await subject(exchange) }

    private func subject(_ exchange: Exchange) async throws -> AssertionSubject {
        let text = TokenRequest.assertion(exchange)
        let tenant = exchange.settings.strictness
        return try await services.worlds.read(exchange.tenant) { view in
            let claimed = text.map { UnverifiedToken($0, field: D1Assertion.field, strictness: .lenient) }
            let issuer = try claimed?.issuerID.flatMap { try view.store.record(Issuer.self, $0) }
            let strictness = issuer?.strictness(of: text, use: .d1Assertion, tenant: tenant) ?? tenant
            return AssertionSubject(issuer: issuer, now: view.now, strictness: strictness)
        }
    }
}

/// The form of the token endpoint.
struct TokenRequest: Sendable {
    static let body = FieldTable<D1IssuerField>(required: [.grantType, .assertion], optional: [.scope])

    let assertion: String?

    /// The parameter as it stands in the body, the last if there are several.
    static func assertion(_ exchange: Exchange) -> String? { form(exchange).query.last { $0.0 == "assertion" }?.1 }

    /// The body has the form of a query.
    private static func form(_ exchange: Exchange) -> HTTPRequest {
        HTTPRequest(method: .post, target: "/?" + String(decoding: exchange.request.body, as: UTF8.self))
    }

    init(_ exchange: inout Exchange, strictness: Strictness) {
        let body = TokenRequest.form(exchange)
        var object = JSONObject()
        for (name, value) in body.query {
            if object[name] != nil {
                exchange.note(.failed(.member(Masking.excerpt(name, 40)), D1IssuerFault.parameterTwice))
            }
            object[name] = .string(value)
        }
        var fields = FieldReader(object: object, TokenRequest.body, strictness: strictness)
        if let grant = fields.string(.grantType), grant != TokenEndpointHandler.grantType {
            fields.fail(.grantType, D1IssuerFault.grantType, evidence: Masking.excerpt(grant, 80))
        }
        assertion = fields.string(.assertion)
        _ = fields.optionalString(.scope)
        fields.finish(into: &exchange)
    }
}

import Core
import Crypto
import Traffic
import Web
import Wire

/// `login` and `logout`: one issuer token for each issuerId opens one session (thales-push-provisioning 2.4, 2.5).
struct LoginHandler: Sendable {
    let services: Services

    var endpoints: [any RoutedEndpoint] {
        let base = D1Face.basePath + "/client/v1"
        return [
            Endpoint(
                Route("d1.login", .post, base + "/login", .inferred),
                caller: LoginCallers(services: services),
                handler: logIn
            ),
            Endpoint(Route("d1.logout", .post, base + "/logout", .inferred), caller: D1Bearers(), handler: logOut),
        ]
    }

    func logIn(_ exchange: inout Exchange, _ strictness: LoginStrictness) async throws -> HTTPResponse {
        let request = LoginRequest(&exchange, strictness)
        let tokens = request.tokens
        let known = try await services.worlds.read(exchange.tenant) { view in
            try LoginSubject(request, tokens, in: view)
        }
        exchange.note(known.checks)
        for owner in known.issuers { exchange.subject.note(issuerID: owner.named?.issuerID) }
        let verified = await services.lane.run {
            zip(zip(tokens, request.strictnesses), known.issuers).map { token, owner in
                IssuerToken.verify(
                    token.0,
                    issuer: owner.named,
                    keyOwner: owner.keyOwner,
                    now: known.now,
                    strictness: token.1
                )
            }
        }
        var read: [ReadToken] = []
        for (index, (token, checked)) in zip(tokens, verified).enumerated() {
            let place = Check.Place.body("/\(D1Field.issuerTokens.rawValue)/\(index)")
            if let value = exchange.take(checked.at(place)) { read.append((token.field, place, value)) }
        }
        let twice = Dictionary(grouping: read, by: \.token.issuerID).filter { $0.value.count > 1 }.keys.sorted()
        for issuerID in twice {
            exchange.note(.failed(D1Field.issuerTokens.place, IssuerTokenFault.issuerTwice, evidence: issuerID))
        }
        guard let caller = known.caller else { throw Refusal() }
        let found = read
        let opened = try await services.decide(&exchange, verifiedWith: known.issuers.map(\.named)) {
            world -> Checked<(token: String, session: D1Session)> in
            let checks = try LoginHandler.checks(found, caller, in: world.view)
            guard checks.allSatisfy(\.passed) else { return Checked(value: nil, checks: checks) }
            return Checked(value: try world.logIn(found.map(\.token), caller), checks: checks)
        }
        return .json([
            "sessionToken": .string(opened.token), "expiresIn": .number(D1Session.lifeSeconds),
            "issuers": .strings(opened.session.members.map(\.issuerID)),
        ])
    }

    /// A token of the login, with the name of its checks and its place.
    private typealias ReadToken = (field: String, place: Check.Place, token: IssuerToken)

    private static func checks(_ tokens: [ReadToken], _ caller: D1Caller, in view: View) throws -> [Check] {
        try tokens.flatMap { read in
            try view.loginChecks([(field: read.field, token: read.token)], caller).at(read.place)
        }
    }

    func logOut(_ exchange: inout Exchange, _ token: String) async throws -> HTTPResponse {
        let session = try await services.decide(&exchange) { world in
            let (session, check) = try world.view.d1Session(token)
            if let session { try world.store.remove(D1Session.self, session.recordID) }
            return Checked(value: session, checks: [check])
        }
        exchange.note(session)
        return .empty(status: 204)
    }
}

/// The body of `login`.
struct LoginRequest: Sendable {
    static let maximumTokens = 16
    static let body = D1Fields.placeAndContext + FieldTable(required: [.issuerTokens])

    let place: D1Fields.Place
    let tokens: [UnverifiedToken]
    /// One for each token.
    let strictnesses: [Strictness]

    /// Reads the body and notes what is wrong with it.
    init(_ exchange: inout Exchange, _ strictness: LoginStrictness) {
        var fields = FieldReader(&exchange, LoginRequest.body, strictness: strictness.whole)
        place = D1Fields.place(&fields)
        let texts = LoginRequest.texts(&fields)
        strictnesses = texts.map { strictness.of($0) }
        tokens = zip(texts, strictnesses).enumerated().map { index, token in
            UnverifiedToken(token.0, field: "issuerTokens[\(index)]", strictness: token.1)
        }
        fields.finish(into: &exchange)
    }

    private static func texts(_ fields: inout FieldReader<D1Field>) -> [String] {
        guard let items = fields.array(.issuerTokens) else { return [] }
        if items.isEmpty { fields.fail(.issuerTokens, IssuerTokenFault.tokensEmpty) }
        if items.count > maximumTokens {
            fields.fail(.issuerTokens, IssuerTokenFault.tooMany, evidence: "\(items.count) tokens")
        }
        var texts: [String] = []
        for item in items.prefix(maximumTokens) {
            if let text = item.string {
                texts.append(text)
            } else {
                fields.fail(
                    .issuerTokens,
                    .wrongType,
                    evidence: "a list of strings is wanted, found \(item.typeName)"
                )
            }
        }
        return texts
    }
}

/// What the store knows of a login before its tokens are verified.
struct LoginSubject: Sendable {
    struct Owner: Sendable {
        /// The issuer of `iss`.
        let named: Issuer?
        /// The issuer that registered the `kid`, looked for only when `iss` leads nowhere.
        let keyOwner: Issuer?
    }

    let caller: D1Caller?
    /// One for each token.
    let issuers: [Owner]
    let now: Instant
    let checks: [Check]

    init(_ request: LoginRequest, _ tokens: [UnverifiedToken], in view: View) throws {
        now = view.now
        issuers = try tokens.map { token in
            if let id = token.issuerID, let issuer = try view.store.record(Issuer.self, id) {
                return Owner(named: issuer, keyOwner: nil)
            }
            return Owner(
                named: nil,
                keyOwner: try token.keyID.flatMap { try view.issuer(holding: $0, for: .issuerToken) }
            )
        }
        let resolved = try D1Fields.resolve(request.place, in: view)
        var checks = resolved.checks
        if let application = resolved.value, let deviceID = request.place.deviceID, let context = request.place.context
        {
            checks.append(try view.d1Configuration(deviceID: deviceID, application: application).check)
            caller = D1Caller(deviceID: deviceID, application: application, context: context)
        } else {
            caller = nil
        }
        self.checks = checks
    }
}

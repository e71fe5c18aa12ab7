import Core
import Crypto
import Masking
import Traffic
import Web
import Wire

/// `updateTokenState`: activate, suspend, resume and delete, asked for by the issuer.
struct TokenStateHandler: Sendable {
    let services: Services

    var endpoints: [any RoutedEndpoint] {
        let callers = TPCCallers(services: services)
        let path = TPCFace.basePath + "/{issuerId}/updateTokenState"
        return [Endpoint(Route("tpc.updateTokenState", .post, path, .inferred), caller: callers, handler: update)]
    }

    func update(_ exchange: inout Exchange, _ caller: TPCCaller) async throws -> HTTPResponse {
        let request = TokenStateRequest(&exchange, strictness: caller.strictness)
        if let tokenID = request.tokenID { exchange.tokenID = tokenID }
        let code = await services.lane.run {
            request.authorizationCode.map { caller.verify($0, .lifecycle(tokenID: request.tokenID)) }
        }.flatMap { exchange.take($0) }

        let state = try await services.decide(&exchange, verifiedWith: [caller.issuer]) {
            world -> Checked<TokenState> in
            let found = try request.checks(caller, code, in: world.view)
            guard found.checks.allSatisfy(\.passed), let code, var token = found.token, let event = request.event else {
                return Checked(value: nil, checks: found.checks)
            }
            try world.spend(code, issuerID: caller.issuerID)
            // A repeat that the issuer's policy allows changes nothing.
            _ = try world.apply(event, to: &token, by: .issuer)
            return Checked(value: token.state, checks: found.checks)
        }
        return .json(["success": true, "state": .string(state.tpcName)])
    }
}

/// The arguments of the SDK's `updateTokenState`.
struct TokenStateRequest: Sendable {
    static let body = FieldTable<TPCField>(
        required: [.tokenId, .scheme, .authorizationCode, .action],
        optional: [.tokenRequestorId]
    )

    let tokenID: String?
    let network: PaymentNetwork?
    let authorizationCode: String?
    let event: TokenEvent?
    /// Empty when it is absent, nil when it cannot be read.
    private let requestorID: String?

    /// The SDK's words.
    private static let actions: [String: TokenEvent] = [
        "Activate": .activate, "Suspend": .suspend, "Resume": .resume, "Delete": .delete,
    ]

    /// Reads the body and notes what is wrong with it.
    init(_ exchange: inout Exchange, strictness: Strictness) {
        var fields = FieldReader(&exchange, TokenStateRequest.body, strictness: strictness)
        tokenID = fields.string(.tokenId)
        let network = TPCFields.scheme(&fields)
        self.network = network
        authorizationCode = fields.string(.authorizationCode)
        event = TokenStateRequest.event(&fields)
        let requestor = fields.optionalString(.tokenRequestorId)
        requestorID = requestor ?? (fields.has(.tokenRequestorId) ? nil : "")
        fields.finish(into: &exchange)
    }

    private static func event(_ fields: inout FieldReader<TPCField>) -> TokenEvent? {
        guard let text = fields.string(.action) else { return nil }
        if let event = actions[text] { return event }
        let meant = actions.keys.first { $0.lowercased() == text.lowercased() }
        if let meant, fields.isLenient {
            fields.warn(.action, TPCFault.actionUnknown, evidence: "read as \(meant)")
            return actions[meant]
        }
        fields.fail(
            .action,
            TPCFault.actionUnknown,
            evidence: Masking.excerpt(text, 32),
            hint: meant.map { "The SDK writes it \($0)." }
        )
        return nil
    }

    /// Visa must have the id; for the others absent and empty are the same, and anything else is wrong.
    ///
    /// - Parameter token: nil when it was not found; Apple's id is expected then.
    private func requestorCheck(of token: Token?) -> Check? {
        guard let network, let given = requestorID else { return nil }
        let place = TPCField.tokenRequestorId.place
        guard network == .visa else {
            let evidence = "\(network.scheme), found \(Masking.excerpt(given, 16))"
            return given.isEmpty ? nil : .failed(place, TPCFault.tokenRequestorNotWanted, evidence: evidence)
        }
        if given.isEmpty { return .failed(place, TPCFault.tokenRequestorMissing) }
        let wanted = token?.tokenRequestorID ?? TokenRequestor.appleID(at: network)
        let evidence = "found \(Masking.excerpt(given, 16)), the token's is \(wanted)"
        return given == wanted ? nil : .failed(place, TPCFault.tokenRequestorMismatch, evidence: evidence)
    }

    /// What the store says: the token, whether the code was used, and whether the life cycle takes the step.
    func checks(
        _ caller: TPCCaller,
        _ code: AuthorizationCode?,
        in view: View
    ) throws -> (token: Token?, checks: [Check]) {
        guard let issuer = caller.issuer, let tokenID else {
            let replays = try caller.issuer.flatMap { issuer in
                try code.map { try view.replayChecks(issuerID: issuer.issuerID, code: $0) }
            }
            return (nil, [requestorCheck(of: nil)].compactMap { $0 } + (replays ?? []))
        }
        let found = try view.token(tokenID, issuerID: issuer.issuerID, network: network)
        var checks = [requestorCheck(of: found.token)].compactMap { $0 }
        checks += try code.map { try view.replayChecks(issuerID: issuer.issuerID, code: $0) } ?? []
        checks.append(found.check.at(TPCField.tokenId.place))
        guard let token = found.token, let event else { return (found.token, checks) }
        switch try view.lifecycleFault(of: token, event, by: .issuer) {
        case nil: checks.append(.passed("token.transition", evidence: token.state.tpcName))
        case .alreadyInState where issuer.policies.repeatIsSuccess:
            checks.append(.warning("token.transition", LifecycleFault.alreadyInState, evidence: token.state.tpcName))
        case .some(let fault): checks.append(.failed("token.transition", fault, evidence: token.state.tpcName))
        }
        return (token, checks)
    }
}

import Core
import Crypto
import Traffic
import Web
import Wire

/// `generateAddPaymentPassRequest`: turns the issuer's payload and code into what PassKit forwards to Apple.
struct GeneratePassRequestHandler: Sendable {
    let services: Services

    var endpoints: [any RoutedEndpoint] {
        let callers = TPCCallers(services: services)
        let path = TPCFace.basePath + "/{issuerId}/generateAddPaymentPassRequest"
        return [
            Endpoint(
                Route("tpc.generateAddPaymentPassRequest", .post, path, .inferred),
                caller: callers,
                handler: generate
            )
        ]
    }

    func generate(_ exchange: inout Exchange, _ caller: TPCCaller) async throws -> HTTPResponse {
        let request = GeneratePassRequest(&exchange, strictness: caller.strictness)
        let anchor = services.keyring.appleRoot
        let verified = try await services.lane.run { try request.verify(caller, anchor: anchor) }
        let card = exchange.takeCard(verified.card)
        let code = exchange.take(verified.code)
        let leaf = exchange.take(verified.leaf)
        exchange.note(AuthorizationCode.subjectChecks(code, card: card))
        if let card { exchange.note(request.checks(against: card)) }

        let issuerID = caller.issuerID
        let randomness = try await services.decide(&exchange, verifiedWith: [caller.issuer]) {
            world -> Checked<ActivationData.Randomness> in
            var checks = try world.view.provisioningChecks(issuerID: issuerID, card: card, code: code)
            guard let card, let code else { return Checked(value: nil, checks: checks) }
            checks += try request.identifierChecks(against: card, caller, in: world.view)
            guard checks.allSatisfy(\.passed) else { return Checked(value: nil, checks: checks) }
            try world.register(card, issuerID: issuerID)
            try world.spend(code, issuerID: issuerID)
            return Checked(value: ActivationData.Randomness(&world.tenant.draws), checks: checks)
        }
        guard let card, let leaf, let issuer = caller.issuer, let network = request.network, let nonce = request.nonce,
            let signature = request.nonceSignature
        else { throw Refusal() }
        let answer = try await services.lane.run { [tavKey = services.keyring.tavKey] in
            try AddPaymentPassRequest.make(
                AddPaymentPassRequest.Content(
                    network: network,
                    pan: card.pan,
                    expiry: card.expiry,
                    holderName: card.holderName,
                    nonce: nonce,
                    nonceSignature: signature
                ),
                leaf: leaf,
                keys: issuer.networkKeys,
                tavKey: tavKey,
                randomness: randomness,
                now: caller.now
            )
        }
        return AddPaymentPassMessage.answer(answer, network: network, keys: issuer.networkKeys)
    }
}

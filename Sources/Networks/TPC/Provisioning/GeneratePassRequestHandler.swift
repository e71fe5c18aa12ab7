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

        guard exchange.failures.isEmpty, let card, let code, let leaf, let issuer = caller.issuer,
            let network = request.network, let nonce = request.nonce, let signature = request.nonceSignature
        else {
            let checks = try await services.worlds.read(exchange.tenant) { view in
                try view.provisioningChecks(issuerID: caller.issuerID, card: card, code: code)
            }
            exchange.note(checks)
            throw Refusal()
        }
        let committed = try await services.worlds.write(exchange.tenant) { world -> Committed in
            let checks =
                try world.view.provisioningChecks(issuerID: issuer.issuerID, card: card, code: code)
                + request.identifierChecks(against: card, issuerID: issuer.issuerID, in: world.view)
                + (world.changeCheck(of: issuer).map { [$0] } ?? [])
            guard checks.allSatisfy(\.passed) else { return Committed(checks: checks, randomness: nil) }
            try world.register(card, issuerID: issuer.issuerID)
            try world.spend(code, issuerID: issuer.issuerID)
            return Committed(checks: checks, randomness: ActivationData.Randomness(&world.tenant.draws))
        }
        exchange.note(committed.checks)
        guard let randomness = committed.randomness else { throw Refusal() }
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

    private struct Committed: Sendable {
        let checks: [Check]
        /// Nil when the checks refuse and nothing was changed.
        let randomness: ActivationData.Randomness?
    }
}

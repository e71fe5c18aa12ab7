import Core
import Crypto
import Traffic
import Web
import Wire

/// `activatePass`: activation data for a pass that already exists.
struct ActivatePassHandler: Sendable {
    static let body = FieldTable<TPCField>(
        required: [.scheme, .encryptedPayload, .authorizationCode],
        optional: [.nonce]
    )

    let services: Services

    var endpoints: [any RoutedEndpoint] {
        let callers = TPCCallers(services: services)
        let path = TPCFace.basePath + "/{issuerId}/activatePass"
        return [Endpoint(Route("tpc.activatePass", .post, path, .inferred), caller: callers, handler: activate)]
    }

    func activate(_ exchange: inout Exchange, _ caller: TPCCaller) async throws -> HTTPResponse {
        var fields = FieldReader(&exchange, Self.body, strictness: caller.strictness)
        let network = TPCFields.scheme(&fields)
        let payload = fields.string(.encryptedPayload)
        let codeText = fields.string(.authorizationCode)
        let nonce = PassKitFields.nonce(&fields)
        if let check = PassKitFields.roomCheck(for: nonce, network) { fields.note(check) }
        if network == .visa, !fields.has(.nonce) { fields.fail(.nonce, TPCFault.visaNeedsNonce) }
        fields.finish(into: &exchange)

        let verified = try await services.lane.run {
            (
                card: try payload.map { try caller.open($0, network: network) },
                code: codeText.map { caller.verify($0, .provisioning) }
            )
        }
        let card = exchange.takeCard(verified.card)
        let code = verified.code.flatMap { exchange.take($0) }
        exchange.note(AuthorizationCode.subjectChecks(code, card: card))
        let issuerID = caller.issuerID
        let randomness = try await services.decide(&exchange, verifiedWith: [caller.issuer]) {
            world -> Checked<ActivationData.Randomness> in
            let checks = try world.view.provisioningChecks(issuerID: issuerID, card: card, code: code)
            guard checks.allSatisfy(\.passed), let card, let code else { return Checked(value: nil, checks: checks) }
            try world.register(card, issuerID: issuerID)
            try world.spend(code, issuerID: issuerID)
            return Checked(value: ActivationData.Randomness(&world.tenant.draws), checks: checks)
        }
        guard let network, let card, let issuer = caller.issuer else { throw Refusal() }
        let data = try await services.lane.run { [tavKey = services.keyring.tavKey] in
            try ActivationData.make(
                network: network,
                pan: card.pan,
                expiry: card.expiry,
                nonce: nonce,
                keys: issuer.networkKeys,
                tavKey: tavKey,
                randomness: randomness,
                now: caller.now
            )
        }
        return ActivationDataMessage.answer(data, network: network, keys: issuer.networkKeys)
    }
}

import Core
import Crypto
import Traffic
import Web
import Wire

/// `activatePass`: activation data for a pass that already exists.
struct ActivatePassHandler: Sendable {
    let services: Services

    var endpoints: [any RoutedEndpoint] {
        let callers = TPCCallers(services: services)
        let path = TPCFace.basePath + "/{issuerId}/activatePass"
        return [Endpoint(Route("tpc.activatePass", .post, path, .inferred), caller: callers, handler: activate)]
    }

    func activate(_ exchange: inout Exchange, _ caller: TPCCaller) async throws -> HTTPResponse {
        var fields = FieldReader(&exchange, strictness: caller.strictness)
        let network = TPCFields.scheme(&fields)
        let payload = fields.string(.encryptedPayload)
        let codeText = fields.string(.authorizationCode)
        let nonce = fields.has(.nonce) ? PassKitFields.nonce(&fields) : fields.optionalBytes(.nonce, limit: 64)
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
        guard exchange.failures.isEmpty, let network, let card, let code, let issuer = caller.issuer else {
            let checks = try await services.worlds.read(exchange.tenant) { view in
                try view.provisioningChecks(issuerID: caller.issuerID, card: card, code: code)
            }
            exchange.note(checks)
            throw Refusal()
        }
        let outcome = try await services.worlds.write(exchange.tenant) { world -> Outcome in
            let checks =
                try world.view.provisioningChecks(issuerID: issuer.issuerID, card: card, code: code)
                + (try world.changeCheck(of: issuer).map { [$0] } ?? [])
            guard checks.allSatisfy(\.passed) else { return .refused(checks) }
            try world.register(card, issuerID: issuer.issuerID)
            try world.spend(code, issuerID: issuer.issuerID)
            return .committed(ActivationData.Randomness(&world.tenant.draws), checks)
        }
        let randomness: ActivationData.Randomness
        switch outcome {
        case .refused(let checks):
            exchange.note(checks)
            throw Refusal()
        case .committed(let drawn, let checks):
            exchange.note(checks)
            randomness = drawn
        }
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

    private enum Outcome: Sendable {
        case refused([Check])
        case committed(ActivationData.Randomness, [Check])
    }
}

import Core
import Crypto
import Traffic
import Web
import Wire

/// `generateAddPaymentPassRequestForPassEntryWithIdentifier`: D1 has the card, the app sends only what Apple gave.
struct AddPaymentPassHandler: Sendable {
    let services: Services

    var endpoints: [any RoutedEndpoint] {
        let callers = D1Callers(services: services)
        let path = D1Face.basePath + "/client/v1/pass-entries/{cardId}/add-payment-pass-request"
        return [Endpoint(Route("d1.addPaymentPassRequest", .post, path, .inferred), caller: callers, handler: generate)]
    }

    func generate(_ exchange: inout Exchange, _ access: D1Access) async throws -> HTTPResponse {
        if !access.application.isEntitled {
            exchange.note(
                .failed(
                    "application.entitled",
                    D1Fault.applicationNotEntitled,
                    evidence: access.application.identifier
                )
            )
        }
        var fields = FieldReader(&exchange, strictness: exchange.settings.strictness)
        let chain = fields.bytesList(.certificateChain, limit: 16_384)
        let nonce = PassKitFields.nonce(&fields)
        let signature = PassKitFields.nonceSignature(&fields)
        fields.finish(into: &exchange)
        let anchor = services.keyring.appleRoot
        let verified = await services.lane.run {
            chain.map { CertificateChain.verify($0, .passData(anchors: [anchor])).at(Field.certificateChain.place) }
        }
        let leaf = verified.flatMap { exchange.take($0) }
        let (cardID, issuerID) = (exchange.parameters["cardId"], exchange.request.queryValue("issuerId"))
        let refused = !exchange.failures.isEmpty
        // Draws are made only for a request that goes through; the card is looked at in any case.
        let subject = try await services.worlds.write(exchange.tenant) { world in
            try Subject(cardID, access.session, issuerID: issuerID, nonce: nonce, draws: !refused, in: world)
        }
        exchange.note(subject.checks)
        try exchange.refuseIfFailed()
        guard let leaf, let nonce, let signature, let card = subject.card, let pan = subject.pan,
            let issuer = subject.issuer, let randomness = subject.randomness
        else { throw exchange.refusal(.failed("card", D1Fault.cardUnknown)) }
        let now = subject.now
        let made = try await services.lane.run { [tavKey = services.keyring.tavKey] in
            try AddPaymentPassRequest.make(
                AddPaymentPassRequest.Content(
                    network: card.network,
                    pan: pan,
                    expiry: card.expiry,
                    holderName: card.holderName,
                    nonce: nonce,
                    nonceSignature: signature
                ),
                leaf: leaf,
                keys: issuer.networkKeys,
                tavKey: tavKey,
                randomness: randomness,
                now: now
            )
        }
        return AddPaymentPassMessage.answer(made, network: card.network, keys: issuer.networkKeys)
    }

    /// The card with its number, and what makes its activation data.
    private struct Subject: Sendable {
        let card: Card?
        let pan: PAN?
        let issuer: Issuer?
        let randomness: ActivationData.Randomness?
        let now: Instant
        let checks: [Check]

        init(
            _ cardID: String,
            _ session: D1Session,
            issuerID: String?,
            nonce: [UInt8]?,
            draws: Bool,
            in world: World
        ) throws {
            let found = try world.view.d1Card(cardID, session, issuerID: issuerID)
            card = found.card
            let room = PassKitFields.roomCheck(for: nonce, found.card?.network)
            checks = found.checks + (room.map { [$0] } ?? [])
            now = world.now
            pan = try found.card.flatMap { try world.store.number(of: $0.vaultOwner) }.flatMap { PAN($0) }
            issuer = try found.card.flatMap { try world.store.record(Issuer.self, $0.issuerID) }
            randomness =
                draws && room == nil && found.card != nil ? ActivationData.Randomness(&world.tenant.draws) : nil
        }
    }
}

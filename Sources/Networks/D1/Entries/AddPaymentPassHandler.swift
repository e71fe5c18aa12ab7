import Core
import Crypto
import Traffic
import Web
import Wire

/// `generateAddPaymentPassRequestForPassEntryWithIdentifier`: D1 has the card, the app sends only what Apple gave.
struct AddPaymentPassHandler: Sendable {
    static let body = FieldTable<D1Field>(required: [.certificateChain, .nonce, .nonceSignature])

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
        var fields = FieldReader(&exchange, Self.body, strictness: exchange.settings.strictness)
        let chain = fields.bytesList(.certificateChain)
        let nonce = PassKitFields.nonce(&fields)
        let signature = PassKitFields.nonceSignature(&fields)
        fields.finish(into: &exchange)
        let anchor = services.keyring.appleRoot
        let verified = await services.lane.run {
            chain.map { CertificateChain.verify($0, .passData(anchors: [anchor])).at(D1Field.certificateChain.place) }
        }
        let leaf = verified.flatMap { exchange.take($0) }
        let (cardID, issuerID) = (exchange.parameters["cardId"], exchange.request.queryValue("issuerId"))
        let subject = try await services.decide(&exchange) { world in
            try Subject.find(cardID, access.session, issuerID: issuerID, nonce: nonce, in: world)
        }
        guard let leaf, let nonce, let signature else { throw Refusal() }
        let card = subject.card
        let made = try await services.lane.run { [tavKey = services.keyring.tavKey] in
            try AddPaymentPassRequest.make(
                AddPaymentPassRequest.Content(
                    network: card.network,
                    pan: subject.pan,
                    expiry: card.expiry,
                    holderName: card.holderName,
                    nonce: nonce,
                    nonceSignature: signature
                ),
                leaf: leaf,
                keys: subject.issuer.networkKeys,
                tavKey: tavKey,
                randomness: subject.randomness,
                now: subject.now
            )
        }
        return AddPaymentPassMessage.answer(made, network: card.network, keys: subject.issuer.networkKeys)
    }

    /// The card with its number, and what makes its activation data.
    private struct Subject: Sendable {
        let card: Card
        let pan: PAN
        let issuer: Issuer
        let randomness: ActivationData.Randomness
        let now: Instant

        static func find(
            _ cardID: String,
            _ session: D1Session,
            issuerID: String?,
            nonce: [UInt8]?,
            in world: World
        ) throws -> Checked<Subject> {
            var (found, checks) = try world.view.d1Card(cardID, session, issuerID: issuerID)
            if let room = PassKitFields.roomCheck(for: nonce, found?.network) { checks.append(room) }
            guard checks.allSatisfy(\.passed), let card = found else { return Checked(value: nil, checks: checks) }
            guard let pan = try world.store.number(of: card.vaultOwner).flatMap({ PAN($0) }),
                let issuer = try world.store.record(Issuer.self, card.issuerID)
            else { return Checked(value: nil, checks: checks + [.failed("card", D1Fault.cardUnknown)]) }
            let randomness = ActivationData.Randomness(&world.tenant.draws)
            let subject = Subject(card: card, pan: pan, issuer: issuer, randomness: randomness, now: world.now)
            return Checked(value: subject, checks: checks)
        }
    }
}

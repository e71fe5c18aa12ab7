import Core
import Traffic
import Web
import Wire

/// `manual-entries`: the cardholder types the card. No activation data, so the usual way to yellow.
struct ManualEntryHandler: Sendable {
    let services: Services

    var endpoints: [any RoutedEndpoint] {
        let path = WalletFace.basePath + "/devices/{deviceId}/manual-entries"
        return [Endpoint(Route("wallet.manualEntry", .post, path, .sandbox, decides: true), handler: enter)]
    }

    func enter(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let rules = CardNumberRules.beforeIssuer(services.worlds.environment.panPolicy)
        let entry = ManualEntry(&exchange, rules: rules)
        let deviceID = exchange.parameters["deviceId"]
        let (application, typed, strictness) = (entry.application, entry.pan, exchange.settings.strictness)
        let found = try await services.worlds.read(exchange.tenant) { view in
            (
                device: try view.store.record(Device.self, deviceID) != nil,
                application: try application.flatMap { try view.store.record(Application.self, $0) },
                issuerID: try typed.flatMap { try view.issuer(of: $0)?.issuerID },
                digit: try typed.flatMap {
                    try view.checkDigitCheck(of: $0, tenant: strictness, subject: "card.pan")
                }
            )
        }
        if let issuerID = found.issuerID { exchange.subject.note(issuerID: issuerID) }
        guard found.device else {
            throw exchange.refusal(.failed("device", DeviceFault.unknown, at: .path("deviceId"), evidence: deviceID))
        }
        if let application, found.application?.isEntitled != true {
            let place = WalletField.application.place
            exchange.note(.failed("application.entitled", WalletFault.notEntitled, at: place, evidence: application))
        }
        if let check = found.digit { exchange.note(check.at(WalletField.pan.place)) }
        try exchange.refuseIfFailed()
        guard let network = entry.network, let pan = entry.pan, let expiry = entry.expiry, let name = entry.name else {
            throw Refusal()
        }
        let request = ProvisioningRequest(
            deviceID: deviceID,
            sessionID: nil,
            network: network,
            pan: pan,
            expiry: expiry,
            holderName: name,
            activationData: .notOffered,
            forced: exchange.orders.decision,
            answer: exchange.answers[IssuerAnswer.approval]
        )
        let result = try await services.decide(&exchange) { world in
            Checked(value: try world.provision(request), checks: [])
        }
        return try ProvisioningMessage.response(result, &exchange)
    }
}

/// A typed card.
struct ManualEntry {
    static let body = FieldTable<WalletField>(
        required: [.paymentNetwork, .pan, .expiration, .name, .cvv],
        optional: [.application]
    )

    var network: PaymentNetwork?
    var pan: PAN?
    var expiry: CardExpiry?
    var name: String?
    var application: String?

    init(_ exchange: inout Exchange, rules: CardNumberRules) {
        var fields = FieldReader(&exchange, ManualEntry.body, strictness: exchange.settings.strictness)
        network = WalletFields.network(&fields)
        if let text = fields.string(.pan) {
            pan = PAN(text)
            if let pan {
                fields.note(
                    contentsOf: rules.checks(of: pan, network: network, subject: "card.pan").at(WalletField.pan.place)
                )
            } else {
                fields.fail(.pan, .malformed, evidence: "12 to 19 digits wanted, \(text.utf8.count) characters")
            }
        }
        if let text = fields.string(.expiration) {
            do throws(CardExpiry.Fault) {
                expiry = try CardExpiry(slashed: text)
            } catch {
                switch error {
                case .form: fields.fail(.expiration, .malformed, evidence: "MM/YY wanted")
                case .month: fields.fail(.expiration, CardFault.expiryImpossible)
                }
            }
        }
        name = fields.string(.name)
        if let code = fields.string(.cvv) {
            let length = network == .amex ? 4 : 3
            if code.utf8.count != length || !code.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
                fields.fail(.cvv, WalletFault.securityCodeForm, evidence: "\(code.utf8.count) characters")
            }
        }
        application = fields.optionalString(.application)
        fields.finish(into: &exchange)
    }
}

import Core
import Crypto
import Masking
import Traffic
import Web
import Wire

/// `getCardDigitizationResult` and `isCardDigitized`: whether an application sees a pass of a card.
struct DigitizationHandler: Sendable {
    let services: Services

    var endpoints: [any RoutedEndpoint] {
        let callers = TPCCallers(services: services, takesCode: false)
        let base = TPCFace.basePath + "/{issuerId}"
        return [
            Endpoint(
                Route(
                    "tpc.getCardDigitizationResult",
                    .post,
                    base + "/getCardDigitizationResult",
                    .inferred,
                    isReading: true
                ),
                caller: callers,
                handler: result
            ),
            Endpoint(
                Route("tpc.isCardDigitized", .post, base + "/isCardDigitized", .inferred, isReading: true),
                caller: callers,
                handler: isDigitized
            ),
        ]
    }

    func result(_ exchange: inout Exchange, _ caller: TPCCaller) async throws -> HTTPResponse {
        let library = try await library(&exchange, caller)
        if let check = library.check { exchange.note(check) }
        let first = library.passes.visible.first
        // Two cards are never mixed in one answer; `ambiguous` says that there are more.
        let card = library.passes.filtered { $0.card.primaryAccountIdentifier == first?.card.primaryAccountIdentifier }
        return .json([
            "primaryAccountIdentifier": .optional(first?.card.primaryAccountIdentifier),
            "localPKPass": card.local.first.map(PassMessage.json) ?? .null,
            "remotePKPass": card.remote.first.map(PassMessage.json) ?? .null,
            "ambiguous": .bool(library.passes.isAmbiguous),
        ])
    }

    func isDigitized(_ exchange: inout Exchange, _ caller: TPCCaller) async throws -> HTTPResponse {
        let library = try await library(&exchange, caller)
        if let check = library.check {
            exchange.note(check)
            throw exchange.refusal(.failed("card.digitized", TPCFault.notDigitized))
        }
        return .json(["digitized": true])
    }

    private struct Found: Sendable {
        let passes: PassLibrary
        /// Why nothing is visible, when nothing is.
        let check: Check?
    }

    private func library(_ exchange: inout Exchange, _ caller: TPCCaller) async throws -> Found {
        let selection = CardSelection(&exchange, strictness: caller.strictness)
        let opened = try await services.lane.run {
            try selection.encryptedPayload.map { try caller.open($0, network: selection.network) }
        }
        let card = exchange.takeCard(opened)
        try exchange.refuseIfFailed()
        guard let deviceID = selection.deviceID, let application = selection.application else { throw Refusal() }
        let found = try await services.worlds.read(exchange.tenant) { view -> PassLibrary? in
            guard let device = try view.store.record(Device.self, deviceID) else { return nil }
            let numbered = try card.map { try Set(view.cards(withNumber: $0.pan).map(\.recordID)) }
            return try view.passLibrary(of: device, application: application).filtered { pass in
                guard pass.card.issuerID == caller.issuerID else { return false }
                if let numbered, !numbered.contains(pass.card.recordID) { return false }
                if let identifier = selection.primaryAccountIdentifier,
                    pass.card.primaryAccountIdentifier != identifier
                {
                    return false
                }
                guard let suffix = selection.suffix else { return true }
                return try view.card(pass.card, endsWith: suffix)
            }
        }
        guard let library = found else {
            throw exchange.refusal(
                .failed(
                    "device",
                    DeviceFault.unknown,
                    at: TPCField.deviceId.place,
                    evidence: Masking.excerpt(deviceID, 64)
                )
            )
        }
        return Found(passes: library, check: VisibilityFault.check(of: library, application: application))
    }
}

/// Which card is meant: by payload, by FPAN id or by the last digits.
struct CardSelection: Sendable {
    static let body = FieldTable<TPCField>(
        required: [.deviceId, .application],
        optional: [.scheme, .encryptedPayload, .primaryAccountIdentifier, .primaryAccountNumberSuffix]
    )

    let deviceID: String?
    let application: String?
    let network: PaymentNetwork?
    let encryptedPayload: String?
    let primaryAccountIdentifier: String?
    let suffix: String?

    init(_ exchange: inout Exchange, strictness: Strictness) {
        var fields = FieldReader(&exchange, CardSelection.body, strictness: strictness)
        deviceID = fields.string(.deviceId)
        application = fields.string(.application)
        let (hasScheme, hasPayload) = (fields.has(.scheme), fields.has(.encryptedPayload))
        network = TPCFields.scheme(&fields)
        encryptedPayload = fields.string(.encryptedPayload)
        if hasScheme != hasPayload { fields.fail(.scheme, TPCFault.schemeWithoutPayload) }
        let identifier = fields.optionalString(.primaryAccountIdentifier)
        primaryAccountIdentifier = identifier == "" ? nil : identifier
        let hasSuffix = fields.has(.primaryAccountNumberSuffix)
        suffix = TPCFields.suffix(.primaryAccountNumberSuffix, &fields)
        if !hasScheme, !hasPayload, !hasSuffix, primaryAccountIdentifier == nil, fields.isReadable {
            fields.note(.failed(.body(""), TPCFault.selectorMissing))
        }
        fields.finish(into: &exchange)
    }
}

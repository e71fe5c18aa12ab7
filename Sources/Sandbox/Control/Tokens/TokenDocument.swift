import Core
import Masking
import Traffic
import Wire

/// A token as the control API prints it (CONTRACT, section 5, "Shapes"), with its history.
struct TokenDocument: Sendable {
    private let token: Token
    private let serialNumber: String?
    private let history: [TokenChange]

    init(_ token: Token, in view: View) throws {
        self.token = token
        serialNumber = try view.store.record(Pass.self, token.tokenID)?.serialNumber
        history = try view.history(of: token)
    }

    /// The life cycle's events, and the one that opens locked activation methods.
    enum Event: String, CaseIterable {
        case activate, suspend, resume, delete, expire
        case unlock

        /// Nil for `unlock`, which changes no state.
        var lifecycleEvent: TokenEvent? { TokenEvent(rawValue: rawValue) }
    }

    var json: JSON {
        [
            "tokenId": .string(token.tokenID), "network": .string(token.network.rawValue),
            "issuerId": .string(token.issuerID), "issuerCardRefId": .string(token.cardReference),
            "state": .string(token.state.rawValue), "suspenders": .strings(token.suspenders.map(\.rawValue)),
            "tokenRequestorId": .string(token.tokenRequestorID), "deviceId": .optional(token.deviceID),
            "serialNumber": .optional(serialNumber), "tokenSuffix": .string(token.suffix),
            "expiryDate": .string(token.expiry.mmyy), "history": .array(history.map(TokenDocument.change)),
        ]
    }

    private static func change(_ change: TokenChange) -> JSON {
        [
            "at": .string(RFC3339.format(change.at)), "event": .string(change.event), "by": .string(change.by.rawValue),
            "reason": .optional(change.reason), "from": .optional(change.from?.rawValue),
            "to": .string(change.to.rawValue),
        ]
    }
}

/// A token in a wanted state, made in one call.
struct WantedToken: Sendable {
    private let fields: ControlFields
    private let cardReference: String
    private let issuerID: String?
    private let network: PaymentNetwork?
    private let deviceID: String
    private let state: TokenState
    private let tokenID: String?

    init(_ fields: ControlFields) throws(Refusal) {
        self.fields = fields
        fields.expect("issuerCardRefId", "issuerId", "network", "deviceId", "state", "tokenId", "application")
        cardReference = try fields.string("issuerCardRefId")
        issuerID = try fields.optionalString("issuerId")
        network = try fields.word("network", PaymentNetwork.self)
        deviceID = try fields.string("deviceId")
        state = try fields.word("state", TokenState.self) ?? .active
        tokenID = try fields.optionalString("tokenId")
        if let tokenID, !WantedToken.isTokenID(tokenID) {
            throw fields.invalid("tokenId", "1 to 64 characters of A–Z, a–z, 0–9, - and _ that are not a card number")
        }
        if let application = try fields.optionalString("application"),
            !Association.isApplicationIdentifier(application)
        {
            throw fields.refusal("application", .applicationForm, evidence: Masking.excerpt(application, 100))
        }
    }

    private static func isTokenID(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && RequestID.isUsable(text)
    }

    func make(in world: World) throws -> Result<TokenDocument, Refusal> {
        let cards = try world.store.records(Card.self, "reference", cardReference)
            .filter { issuerID == nil || $0.issuerID == issuerID }
        guard cards.count <= 1 else { return .failure(fields.refusal("issuerCardRefId", .cardAmbiguous)) }
        guard let card = cards.first else {
            return .failure(fields.refusal("issuerCardRefId", .failed("card", CardFault.cardUnknown)))
        }
        if let network, network != card.network {
            return .failure(fields.invalid("network", "the card's own, \(card.network.rawValue)"))
        }
        guard let device = try world.store.record(Device.self, deviceID) else {
            return .failure(fields.refusal("deviceId", .failed("device", DeviceFault.unknown)))
        }
        if try world.view.livePass(of: card, on: device) != nil {
            return .failure(fields.refusal("deviceId", .tokenPresent))
        }
        if let tokenID, try world.store.record(Token.self, tokenID) != nil {
            return .failure(fields.refusal("tokenId", .tokenExists))
        }
        let start: TokenState = state == .inactive ? .inactive : .active
        var token = try world.issuePass(of: card, on: device, state: start, sessionNonce: [], tokenID: tokenID).token
        switch state {
        case .inactive, .active: break
        case .suspended: _ = try world.apply(.suspend, to: &token, by: .issuer, reason: "control")
        case .deleted: _ = try world.apply(.delete, to: &token, by: .issuer, reason: "control")
        }
        return .success(try TokenDocument(token, in: world.view))
    }
}

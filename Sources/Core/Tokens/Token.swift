package import Wire

/// A token of a card. Its number stands in the vault only, what it went through in ``TokenChange``, and what Apple's wallet
/// shows of it in ``Pass``.
package struct Token: Record, Equatable {
    /// What records of this type are called in the store.
    package static let kind = "token"
    /// How long a token may wait for activation: 30 days (mastercard-mdes 11.1).
    package static let activationPeriodSeconds: Int64 = 30 * 86_400

    /// Where the token is kept.
    package enum Holder: Sendable, Hashable {
        /// In the secure element of the device with this id.
        case device(String)
        /// With its requestor: a merchant, or a wallet in the cloud.
        case requestor
    }

    /// The network's reference of the token; PassKit's `deviceAccountIdentifier`.
    package let tokenID: String
    /// The network of card and token.
    package let network: PaymentNetwork
    /// The `issuerId` of its issuer, ten characters.
    package let issuerID: String
    /// The issuer's own name of the card.
    package let cardReference: String
    /// The requestor's id at the token's network; see ``View/tokenRequestor(id:network:)``.
    package let tokenRequestorID: String
    /// What it is kept on.
    package let holder: Holder
    /// Last four digits of the token number.
    package let suffix: String
    /// The month in which the card ends.
    package let expiry: CardExpiry
    /// When it was made, by the tenant's clock.
    package let createdAt: Instant
    /// State and suspenders.
    package private(set) var lifecycle: TokenLifecycle
    /// When the token last became active, nil when it is not active.
    package private(set) var activeSince: Instant?
    /// How many ``TokenChange`` it has.
    package private(set) var changes: Int64

    /// Made of its members.
    package init(
        tokenID: String,
        network: PaymentNetwork,
        issuerID: String,
        cardReference: String,
        tokenRequestorID: String,
        holder: Holder,
        suffix: String,
        expiry: CardExpiry,
        state: TokenState,
        at now: Instant
    ) {
        self.tokenID = tokenID
        self.network = network
        self.issuerID = issuerID
        self.cardReference = cardReference
        self.tokenRequestorID = tokenRequestorID
        self.holder = holder
        self.suffix = suffix
        self.expiry = expiry
        createdAt = now
        lifecycle = TokenLifecycle(state: state)
        activeSince = state == .active ? now : nil
        changes = 1
    }

    /// Where it is in its life.
    package var state: TokenState { lifecycle.state }
    /// Who holds it suspended.
    package var suspenders: [LifecycleActor] { lifecycle.suspenders }
    /// The id of its card's record.
    package var cardRecordID: String { Card.recordID(issuerID: issuerID, reference: cardReference) }
    /// Whose number it is in the vault.
    package var vaultOwner: VaultOwner { VaultOwner(kind: "token", id: tokenID) }

    /// The device that holds it, nil when none does.
    package var deviceID: String? {
        if case .device(let id) = holder { id } else { nil }
    }

    /// Whether Apple's wallet holds it, and so has a pass of it.
    package var hasPass: Bool { deviceID != nil && tokenRequestorID == TokenRequestor.appleID(at: network) }

    /// Takes one event; gives the change that belongs into the history.
    package mutating func apply(
        _ event: TokenEvent,
        by actor: LifecycleActor,
        reason: String?,
        at now: Instant
    ) throws(LifecycleFault) -> TokenChange {
        let before = lifecycle.state
        try lifecycle.apply(event, by: actor)
        activeSince = lifecycle.state == .active ? now : nil
        changes += 1
        return TokenChange(
            tokenID: tokenID,
            number: changes,
            at: now,
            event: event.rawValue,
            by: actor,
            reason: reason,
            from: before,
            to: lifecycle.state
        )
    }

    /// The id under which a tenant has this record.
    package var recordID: String { tokenID }

    /// The records without which it makes no sense.
    package var references: [RecordReference] {
        let always = [
            RecordReference("issuerId", Issuer.self, issuerID),
            RecordReference("cardReference", Card.self, cardRecordID),
        ]
        // A device that is wiped deletes its tokens and goes.
        guard state != .deleted, let deviceID else { return always }
        return always + [RecordReference("deviceId", Device.self, deviceID)]
    }
    /// Whether it stays when its device goes.
    package static var outlivesDevice: Bool { true }

    /// What the record can be looked up by, besides its id.
    package var keys: [RecordKey] {
        let keys = [RecordKey("card", cardRecordID), RecordKey("issuer", issuerID)]
        return deviceID.map { keys + [RecordKey("device", $0)] } ?? keys
    }

    /// What the store keeps of it.
    package var document: JSON {
        [
            "tokenId": .string(tokenID), "network": .string(network.rawValue), "issuerId": .string(issuerID),
            "cardReference": .string(cardReference), "tokenRequestorId": .string(tokenRequestorID),
            "deviceId": .optional(deviceID), "suffix": .string(suffix), "expiry": .string(expiry.mmyy),
            "createdAt": .instant(createdAt), "state": .string(state.rawValue),
            "suspenders": .strings(suspenders.map(\.rawValue)), "activeSince": .optional(activeSince),
            "changes": .number(changes),
        ]
    }

    /// Reads what the store kept.
    ///
    /// - Throws: the member that is missing or of another type.
    package init(document: JSON) throws(RecordFault) {
        let reader = DocumentReader(Token.kind, document)
        guard let expiry = try? CardExpiry(mmyy: try reader.string("expiry")) else {
            throw RecordFault(kind: Token.kind, member: "expiry")
        }
        self.expiry = expiry
        tokenID = try reader.string("tokenId")
        network = try reader.word("network", PaymentNetwork.self)
        issuerID = try reader.string("issuerId")
        cardReference = try reader.string("cardReference")
        tokenRequestorID = try reader.string("tokenRequestorId")
        holder = try reader.optionalString("deviceId").map(Holder.device) ?? .requestor
        suffix = try reader.string("suffix")
        createdAt = try reader.instant("createdAt")
        lifecycle = TokenLifecycle(
            state: try reader.word("state", TokenState.self),
            suspenders: try reader.words("suspenders", LifecycleActor.self)
        )
        activeSince = try reader.optionalInstant("activeSince")
        changes = try reader.integer("changes")
        guard changes >= 0 else { throw RecordFault(kind: Token.kind, member: "changes") }
    }
}

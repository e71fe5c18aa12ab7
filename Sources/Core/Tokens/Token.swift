package import Wire

/// A token of a card on a device, and the pass that shows it. The token number stands in the vault only.
package struct Token: Record, Equatable {
    package static let kind = "token"
    /// How long a token may wait for activation: 30 days (mastercard-mdes 11.1).
    package static let activationPeriodSeconds: Int64 = 30 * 86_400

    package struct Change: Sendable, Equatable {
        package let at: Instant
        /// `create` or the event.
        package let event: String
        package let by: LifecycleActor
        package let reason: String?
        package let from: TokenState?
        package let to: TokenState
    }

    /// The network's reference of the token; PassKit's `deviceAccountIdentifier`.
    package let tokenID: String
    package let network: PaymentNetwork
    package let issuerID: String
    package let cardReference: String
    package let tokenRequestorID: String
    package let deviceID: String
    package internal(set) var serialNumber: String
    /// Last four digits of the token number.
    package let suffix: String
    package let expiry: CardExpiry
    package let createdAt: Instant
    /// The nonce of the provisioning session, for activation data that binds it.
    package let sessionNonce: [UInt8]
    /// The pass metadata as it was when the pass was made, or last applied.
    package var metadata: PassMetadata
    package private(set) var lifecycle: TokenLifecycle
    package private(set) var history: [Change]
    /// Activation methods that three wrong codes closed.
    package var lockedMethods: [String]

    package init(
        tokenID: String,
        network: PaymentNetwork,
        issuerID: String,
        cardReference: String,
        deviceID: String,
        serialNumber: String,
        suffix: String,
        expiry: CardExpiry,
        sessionNonce: [UInt8],
        metadata: PassMetadata,
        state: TokenState,
        at now: Instant
    ) {
        self.tokenID = tokenID
        self.network = network
        self.issuerID = issuerID
        self.cardReference = cardReference
        tokenRequestorID = network.appleTokenRequestorID
        self.deviceID = deviceID
        self.serialNumber = serialNumber
        self.suffix = suffix
        self.expiry = expiry
        createdAt = now
        self.sessionNonce = sessionNonce
        self.metadata = metadata
        lifecycle = TokenLifecycle(state: state)
        history = [Change(at: now, event: "create", by: .network, reason: nil, from: nil, to: state)]
        lockedMethods = []
    }

    /// From a stored document, whose parts have been read.
    init(
        restoring reader: DocumentReader,
        network: PaymentNetwork,
        expiry: CardExpiry,
        metadata: PassMetadata,
        lifecycle: TokenLifecycle,
        history: [Change]
    ) throws(RecordFault) {
        tokenID = try reader.string("tokenId")
        self.network = network
        issuerID = try reader.string("issuerId")
        cardReference = try reader.string("cardReference")
        tokenRequestorID = network.appleTokenRequestorID
        deviceID = try reader.string("deviceId")
        serialNumber = try reader.string("serialNumber")
        suffix = try reader.string("suffix")
        self.expiry = expiry
        createdAt = try reader.instant("createdAt")
        sessionNonce = try reader.bytes("sessionNonce")
        self.metadata = metadata
        self.lifecycle = lifecycle
        self.history = history
        lockedMethods = try reader.strings("lockedMethods")
    }

    package var state: TokenState { lifecycle.state }
    package var suspenders: [LifecycleActor] { lifecycle.suspenders }
    package var cardRecordID: String { Card.recordID(issuerID: issuerID, reference: cardReference) }
    package var vaultOwner: VaultOwner { VaultOwner(kind: "token", id: tokenID) }

    /// Takes one event and writes it into the history.
    package mutating func apply(
        _ event: TokenEvent,
        by actor: LifecycleActor,
        reason: String?,
        at now: Instant
    ) throws(LifecycleFault) {
        let before = lifecycle.state
        try lifecycle.apply(event, by: actor)
        history.append(
            Change(at: now, event: event.rawValue, by: actor, reason: reason, from: before, to: lifecycle.state)
        )
    }

    /// When the token last became active, nil when it is not active.
    package var activeSince: Instant? {
        state == .active ? history.last { $0.to == .active }?.at : nil
    }

    package var recordID: String { tokenID }

    package var keys: [RecordKey] {
        [
            RecordKey("device", deviceID), RecordKey("card", cardRecordID), RecordKey("issuer", issuerID),
            RecordKey("serial", serialNumber),
        ]
    }
}

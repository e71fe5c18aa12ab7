package import Wire

/// One "add card" sheet: the nonce Apple gave and what the app announced. Good for one pass.
package struct ProvisioningSession: Record, Equatable {
    /// What records of this type are called in the store.
    package static let kind = "session"
    /// Life of a session in seconds of tenant time (CONTRACT, section 3).
    package static let lifeSeconds: Int64 = 300
    /// After this PassKit gives up on the app's answer; here only a warning.
    package static let callbackSeconds: Int64 = 20

    /// The id that the wallet's calls name it by.
    package let sessionID: String
    /// The id of its device.
    package let deviceID: String
    /// The network of card and token.
    package let network: PaymentNetwork
    /// The last four digits of the card, as the app gave them; empty where it gave none.
    package let suffix: String
    /// Team and bundle of the app that asked.
    package let application: String
    /// The session's nonce.
    package let nonce: [UInt8]
    /// The signature over the session's nonce.
    package let nonceSignature: [UInt8]
    /// When it was made, by the tenant's clock.
    package let createdAt: Instant
    /// The token it ended in.
    package var tokenID: String?
    /// The cardholder did not accept the terms: it makes no pass any more.
    package var isRefused = false

    /// Made of its members.
    package init(
        sessionID: String,
        deviceID: String,
        network: PaymentNetwork,
        suffix: String,
        application: String,
        nonce: [UInt8],
        nonceSignature: [UInt8],
        createdAt: Instant
    ) {
        self.sessionID = sessionID
        self.deviceID = deviceID
        self.network = network
        self.suffix = suffix
        self.application = application
        self.nonce = nonce
        self.nonceSignature = nonceSignature
        self.createdAt = createdAt
    }

    /// From then on, by the tenant's clock, it is void.
    package var expiresAt: Instant { createdAt.adding(seconds: ProvisioningSession.lifeSeconds) }
    /// The id under which a tenant has this record.
    package var recordID: String { sessionID }

    /// The records without which it makes no sense.
    package var references: [RecordReference] {
        tokenID.map { [RecordReference("tokenId", Token.self, $0)] } ?? []
    }
    /// What the record can be looked up by, besides its id.
    package var keys: [RecordKey] { [RecordKey("nonce", Hex.encode(nonce))] }

    /// What the store keeps of it.
    package var document: JSON {
        let json: JSON = [
            "sessionId": .string(sessionID), "deviceId": .string(deviceID), "network": .string(network.rawValue),
            "suffix": .string(suffix), "application": .string(application), "nonce": .base64(nonce),
            "nonceSignature": .base64(nonceSignature), "createdAt": .instant(createdAt),
            "tokenId": .optional(tokenID),
        ]
        return isRefused ? json.adding("refused", true) : json
    }

    /// Reads what the store kept.
    ///
    /// - Throws: the member that is missing or of another type.
    package init(document: JSON) throws(RecordFault) {
        let reader = DocumentReader(ProvisioningSession.kind, document)
        sessionID = try reader.string("sessionId")
        deviceID = try reader.string("deviceId")
        network = try reader.word("network", PaymentNetwork.self)
        suffix = try reader.string("suffix")
        application = try reader.string("application")
        nonce = try reader.bytes("nonce")
        nonceSignature = try reader.bytes("nonceSignature")
        createdAt = try reader.instant("createdAt")
        tokenID = try reader.optionalString("tokenId")
        isRefused = try reader.bool("refused")
    }
}

package import Wire

/// One "add card" sheet: the nonce Apple gave and what the app announced. Good for one pass.
package struct ProvisioningSession: Record, Equatable {
    package static let kind = "session"
    /// Life of a session in seconds of tenant time (CONTRACT, section 3).
    package static let lifeSeconds: Int64 = 300
    /// After this PassKit gives up on the app's answer; here only a warning.
    package static let callbackSeconds: Int64 = 20

    package let sessionID: String
    package let deviceID: String
    package let network: PaymentNetwork
    package let suffix: String
    package let application: String
    package let nonce: [UInt8]
    package let nonceSignature: [UInt8]
    package let createdAt: Instant
    /// The token it ended in.
    package var tokenID: String?

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

    package var expiresAt: Instant { createdAt.adding(seconds: ProvisioningSession.lifeSeconds) }
    package var recordID: String { sessionID }

    package var references: [RecordReference] {
        tokenID.map { [RecordReference("tokenId", Token.self, $0)] } ?? []
    }
    package var keys: [RecordKey] { [RecordKey("nonce", Hex.encode(nonce))] }

    package var document: JSON {
        [
            "sessionId": .string(sessionID), "deviceId": .string(deviceID), "network": .string(network.rawValue),
            "suffix": .string(suffix), "application": .string(application), "nonce": .base64(nonce),
            "nonceSignature": .base64(nonceSignature), "createdAt": .instant(createdAt),
            "tokenId": .optional(tokenID),
        ]
    }

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
    }
}

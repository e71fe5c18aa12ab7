package import Wire

/// The pass that Apple's wallet has of a token it holds. Card, suffixes and state are its token's, and are not written here.
package struct Pass: Record, Equatable {
    /// What records of this type are called in the store.
    package static let kind = "pass"
    /// PassKit's type of payment passes.
    package static let typeIdentifier = "paymentpass.com.apple"

    /// The network's id of the token.
    package let tokenID: String
    /// Shared by the passes of one card on a phone and its watches.
    package internal(set) var serialNumber: String
    /// The nonce of the provisioning session, for activation data that binds it; empty without a session.
    package let sessionNonce: [UInt8]
    /// The pass metadata as it was when the pass was made, or last applied.
    package internal(set) var metadata: PassMetadata

    /// Made of its members.
    package init(tokenID: String, serialNumber: String, sessionNonce: [UInt8], metadata: PassMetadata) {
        self.tokenID = tokenID
        self.serialNumber = serialNumber
        self.sessionNonce = sessionNonce
        self.metadata = metadata
    }

    /// The id under which a tenant has this record.
    package var recordID: String { tokenID }
    /// The records without which it makes no sense.
    package var references: [RecordReference] { [RecordReference("tokenId", Token.self, tokenID)] }

    /// What the record can be looked up by, besides its id.
    package var keys: [RecordKey] { [RecordKey("serial", serialNumber)] }

    /// What the store keeps of it.
    package var document: JSON {
        [
            "tokenId": .string(tokenID), "serialNumber": .string(serialNumber), "sessionNonce": .base64(sessionNonce),
            "metadata": metadata.document,
        ]
    }

    /// Reads what the store kept.
    ///
    /// - Throws: the member that is missing or of another type.
    package init(document: JSON) throws(RecordFault) {
        let reader = DocumentReader(Pass.kind, document)
        tokenID = try reader.string("tokenId")
        serialNumber = try reader.string("serialNumber")
        sessionNonce = try reader.bytes("sessionNonce")
        metadata = try PassMetadata(document: reader.value("metadata") ?? .null)
    }
}

extension View {
    /// The issuer's metadata for the network, empty when none was put.
    package func passMetadata(issuerID: String, network: PaymentNetwork) throws -> PassMetadata {
        let id = PassMetadata.recordID(issuerID: issuerID, network: network)
        return try store.record(PassMetadata.self, id) ?? PassMetadata(issuerID: issuerID, network: network)
    }
}

extension World {
    /// Stamps today's metadata on the passes of an issuer at a network, or on the pass of one of its tokens.
    ///
    /// - Returns: how many passes it changed.
    package func applyPassMetadata(issuerID: String, network: PaymentNetwork, tokenID: String?) throws -> Int {
        let metadata = try view.passMetadata(issuerID: issuerID, network: network)
        var updated = 0
        for token in try store.records(Token.self, "issuer", issuerID)
        where token.network == network && token.state != .deleted && (tokenID == nil || token.tokenID == tokenID) {
            guard var pass = try store.record(Pass.self, token.tokenID), pass.metadata != metadata else { continue }
            pass.metadata = metadata
            try store.put(pass)
            updated += 1
        }
        return updated
    }
}

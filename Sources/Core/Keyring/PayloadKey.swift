package import Crypto
package import Wire

/// A payload key that a tenant made by rotation. Older ones go on opening beside it until they are retired.
package struct PayloadKey: Record, Equatable {
    /// What records of this type are called in the store.
    package static let kind = "payloadKey"

    /// The id that issuers choose it by.
    package let keyID: String
    /// PKCS#8 DER.
    package let privateKey: [UInt8]
    /// DER.
    package let certificate: [UInt8]
    /// When it was made, by the tenant's clock.
    package let createdAt: Instant

    /// A key made by a rotation.
    package init(keyID: String, privateKey: [UInt8], certificate: [UInt8], createdAt: Instant) {
        self.keyID = keyID
        self.privateKey = privateKey
        self.certificate = certificate
        self.createdAt = createdAt
    }

    /// The id under which a tenant has this record.
    package var recordID: String { keyID }

    /// The number of its rotation.
    var number: Int64? { keyID.split(separator: "R").last.flatMap { Int64($0) } }

    /// What the store keeps of it.
    package var document: JSON {
        [
            "keyId": .string(keyID), "privateKey": .base64(privateKey), "certificate": .base64(certificate),
            "createdAt": .instant(createdAt),
        ]
    }

    /// A key made by a rotation.
    package init(document: JSON) throws(RecordFault) {
        let reader = DocumentReader(PayloadKey.kind, document)
        keyID = try reader.string("keyId")
        privateKey = try reader.bytes("privateKey")
        certificate = try reader.bytes("certificate")
        createdAt = try reader.instant("createdAt")
    }
}

extension World {
    /// Rotated keys that are kept beside the built-in ones; older ones are dropped.
    package static let keptPayloadKeys = 8

    /// The number of the next rotation.
    package func nextPayloadKeyNumber() throws -> Int64 {
        let numbers = try store.records(PayloadKey.self).compactMap(\.number)
        return (numbers.max() ?? 0) + 1
    }

    /// Keeps a payload key of this tenant's own.
    ///
    /// - Throws: what the store throws.
    package func addPayloadKey(_ keyID: String, privateKey: [UInt8], certificate: [UInt8]) throws -> PayloadKey {
        let key = PayloadKey(keyID: keyID, privateKey: privateKey, certificate: certificate, createdAt: now)
        try store.put(key)
        for old in try store.records(PayloadKey.self).dropLast(World.keptPayloadKeys) {
            try store.remove(PayloadKey.self, old.keyID)
            try store.remove(RetiredPayloadKey.self, old.keyID)
        }
        return key
    }
}

extension View {
    /// Every key that a payload may name, the newest first, with what it is good for at the tenant's time: after a
    /// rotation only the new key is active, whatever its size (CONTRACT, sections 5 and 8).
    package func payloadRecipients(_ builtIn: [PayloadRecipient]) throws -> [PayloadRecipient] {
        let made = try store.records(PayloadKey.self)
        let retired = try store.records(RetiredPayloadKey.self).filter { $0.at <= now }.map(\.keyID)
        let recipients =
            try made.reversed().map { key in
                PayloadRecipient(
                    keyId: key.keyID,
                    certificate: try Certificate(der: key.certificate),
                    privateKey: try PrivateKey(der: key.privateKey)
                )
            } + builtIn
        return recipients.enumerated().map { index, recipient in
            if retired.contains(recipient.keyId) { return recipient.standing(.retired) }
            return index == 0 || made.isEmpty ? recipient : recipient.standing(.replaced)
        }
    }
}

package import Wire

/// A phone or watch with a secure element. Its leaf certificate is what pass data is encrypted to.
package struct Device: Record, Equatable {
    /// What records of this type are called in the store.
    package static let kind = "device"
    /// The kind of a phone.
    package static let phone = "phone"
    /// The kind of a watch.
    package static let watch = "watch"

    /// The id that the wallet's calls name it by.
    package let deviceID: String
    /// The id of its secure element, 48 hexadecimal digits.
    package let secureElementID: String
    /// `phone`, `watch`, or any other word a client knows: kept as text.
    package let deviceKind: String
    /// What its owner calls it.
    package var name: String
    /// The device it is paired with, given by either side.
    package var pairedWith: String?
    /// PKCS#8 DER of the key that opens pass data.
    package let leafKey: [UInt8]
    /// DER of the certificate handed out with each session.
    package let leafCertificate: [UInt8]
    /// Signs nonces; never leaves the device.
    package let nonceSecret: [UInt8]
    /// Whether its owner has marked it as lost.
    package var isLost: Bool

    /// Made of its members.
    package init(
        deviceID: String,
        secureElementID: String,
        deviceKind: String,
        name: String,
        pairedWith: String?,
        leafKey: [UInt8],
        leafCertificate: [UInt8],
        nonceSecret: [UInt8]
    ) {
        self.deviceID = deviceID
        self.secureElementID = secureElementID
        self.deviceKind = deviceKind
        self.name = name
        self.pairedWith = pairedWith
        self.leafKey = leafKey
        self.leafCertificate = leafCertificate
        self.nonceSecret = nonceSecret
        isLost = false
    }

    /// The id under which a tenant has this record.
    package var recordID: String { deviceID }

    /// What the record can be looked up by, besides its id.
    package var keys: [RecordKey] { pairedWith.map { [RecordKey("pairedWith", $0)] } ?? [] }

    /// What the store keeps of it.
    package var document: JSON {
        [
            "deviceId": .string(deviceID), "secureElementId": .string(secureElementID), "kind": .string(deviceKind),
            "name": .string(name), "pairedWith": .optional(pairedWith), "leafKey": .base64(leafKey),
            "leafCertificate": .base64(leafCertificate), "nonceSecret": .base64(nonceSecret), "lost": .bool(isLost),
        ]
    }

    /// Reads what the store kept.
    ///
    /// - Throws: the member that is missing or of another type.
    package init(document: JSON) throws(RecordFault) {
        let reader = DocumentReader(Device.kind, document)
        deviceID = try reader.string("deviceId")
        secureElementID = try reader.string("secureElementId")
        deviceKind = try reader.string("kind")
        name = try reader.string("name")
        pairedWith = try reader.optionalString("pairedWith")
        leafKey = try reader.bytes("leafKey")
        leafCertificate = try reader.bytes("leafCertificate")
        nonceSecret = try reader.bytes("nonceSecret")
        isLost = try reader.bool("lost")
    }
}

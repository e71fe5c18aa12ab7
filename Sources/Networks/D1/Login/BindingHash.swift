import Core
import Wire

/// A value of `bindingHash()`: good for one login on its device and in its context, for five minutes.
struct BindingHash: Record, Equatable {
    static let kind = "d1Binding"
    static let lifeSeconds: Int64 = 300

    /// Digest of the value.
    let recordID: String
    let deviceID: String
    let context: D1Context
    let expiresAt: Instant
    var isSpent: Bool

    init(value: String, deviceID: String, context: D1Context, expiresAt: Instant) {
        recordID = GivenSecret.recordID(value)
        self.deviceID = deviceID
        self.context = context
        self.expiresAt = expiresAt
        isSpent = false
    }

    var keys: [RecordKey] { [GivenSecret.hourKey(expiresAt)] }

    var document: JSON {
        [
            "digest": .string(recordID), "deviceId": .string(deviceID), "context": .string(context.rawValue),
            "expiresAt": .instant(expiresAt), "spent": .bool(isSpent),
        ]
    }

    init(document: JSON) throws(RecordFault) {
        let reader = DocumentReader(BindingHash.kind, document)
        recordID = try reader.string("digest")
        deviceID = try reader.string("deviceId")
        context = try reader.word("context", D1Context.self)
        expiresAt = try reader.instant("expiresAt")
        isSpent = try reader.bool("spent")
    }
}

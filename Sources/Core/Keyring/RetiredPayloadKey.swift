package import Crypto
package import Wire

/// When a payload key of a tenant stops opening payloads, a built-in one's too.
package struct RetiredPayloadKey: Record, Equatable {
    /// What records of this type are called in the store.
    package static let kind = "retiredPayloadKey"

    /// The key that stops.
    package let keyID: String
    /// The tenant's time from which on it opens nothing.
    package let at: Instant

    init(keyID: String, at: Instant) {
        self.keyID = keyID
        self.at = at
    }

    /// The id under which a tenant has this record.
    package var recordID: String { keyID }

    /// What the store keeps of it.
    package var document: JSON { ["keyId": .string(keyID), "at": .instant(at)] }

    /// As it was kept.
    package init(document: JSON) throws(RecordFault) {
        let reader = DocumentReader(RetiredPayloadKey.kind, document)
        keyID = try reader.string("keyId")
        at = try reader.instant("at")
    }
}

extension World {
    /// Plans the end of every key but the newest, after so many seconds of tenant time; an earlier end stays.
    package func retirePayloadKeys(_ builtIn: [PayloadRecipient], afterSeconds seconds: Int64) throws {
        for recipient in try view.payloadRecipients(builtIn).dropFirst() where recipient.standing != .retired {
            try retire(recipient.keyId, at: now.adding(seconds: seconds))
        }
    }

    /// Ends a payload key now.
    ///
    /// - Returns: false when it is the only active one, which stays.
    /// - Throws: what the store throws.
    package func retirePayloadKey(_ recipient: PayloadRecipient, among recipients: [PayloadRecipient]) throws -> Bool {
        let active = recipients.filter { $0.standing == .active }
        if recipient.standing == .active, active.count == 1 { return false }
        try retire(recipient.keyId, at: now)
        return true
    }

    private func retire(_ keyID: String, at time: Instant) throws {
        if let planned = try store.record(RetiredPayloadKey.self, keyID), planned.at <= time { return }
        try store.put(RetiredPayloadKey(keyID: keyID, at: time))
    }
}

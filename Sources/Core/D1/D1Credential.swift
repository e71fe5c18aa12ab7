import Crypto
package import Wire

/// Secrets that D1 gave out, found by their digest: the store never holds one, and looking one up takes a time that
/// says nothing about it.
package enum D1Secret {
    /// A new secret of 32 bytes in base64url, for one tenant: those of one seed must not give out the same, because a
    /// credential that two tenants hold selects none of them.
    package static func make(_ draws: inout Draws, for tenant: TenantName?) -> String {
        Base64.encode(Hash.sha256.digest(draws.bytes(32) + Array((tenant?.text ?? "").utf8)), .url)
    }

    /// Names one operation; no secret.
    package static func operationID(_ draws: inout Draws) -> String { Hex.encode(draws.bytes(16)) }

    package static func recordID(_ secret: String) -> String {
        Hex.encode(Hash.sha256.digest(Array(secret.utf8)))
    }

    static func hourKey(_ instant: Instant) -> RecordKey { RecordKey("hour", String(instant.seconds / 3_600)) }
}

/// Where a login happens: in the app, or in its Wallet extension.
package enum D1Context: String, Sendable, CaseIterable {
    case app
    case `extension`

    /// Whether an application of this kind runs there (CONTRACT, section 8).
    package func fits(_ kind: Application.Kind) -> Bool {
        switch self {
        case .app: kind == .app
        case .extension: kind == .extension || kind == .extensionUI
        }
    }
}

/// A value of `bindingHash()`: good for one login on its device and in its context, for five minutes.
package struct BindingHash: Record, Equatable {
    package static let kind = "d1Binding"
    package static let lifeSeconds: Int64 = 300

    /// Digest of the value.
    package let recordID: String
    package let deviceID: String
    package let context: D1Context
    package let expiresAt: Instant
    package var isSpent: Bool

    package init(value: String, deviceID: String, context: D1Context, expiresAt: Instant) {
        recordID = D1Secret.recordID(value)
        self.deviceID = deviceID
        self.context = context
        self.expiresAt = expiresAt
        isSpent = false
    }

    package var keys: [RecordKey] { [D1Secret.hourKey(expiresAt)] }

    package var document: JSON {
        [
            "digest": .string(recordID), "deviceId": .string(deviceID), "context": .string(context.rawValue),
            "expiresAt": .instant(expiresAt), "spent": .bool(isSpent),
        ]
    }

    package init(document: JSON) throws(RecordFault) {
        let reader = DocumentReader(BindingHash.kind, document)
        recordID = try reader.string("digest")
        deviceID = try reader.string("deviceId")
        context = try reader.word("context", D1Context.self)
        expiresAt = try reader.instant("expiresAt")
        isSpent = try reader.bool("spent")
    }
}

/// What a successful `login` opened.
package struct D1Session: Record, Equatable {
    package static let kind = "d1Session"
    /// thales-push-provisioning 2.5.
    package static let lifeSeconds: Int64 = 3_600

    package struct Member: Sendable, Equatable {
        package let issuerID: String
        package let consumerIDs: [String]
    }

    /// Digest of the session token.
    package let recordID: String
    package let deviceID: String
    package let application: String
    package let context: D1Context
    package let members: [Member]
    package let expiresAt: Instant

    package init(
        token: String,
        deviceID: String,
        application: String,
        context: D1Context,
        members: [Member],
        expiresAt: Instant
    ) {
        recordID = D1Secret.recordID(token)
        self.deviceID = deviceID
        self.application = application
        self.context = context
        self.members = members
        self.expiresAt = expiresAt
    }

    package var keys: [RecordKey] {
        [.credential(recordID), RecordKey("device", deviceID), D1Secret.hourKey(expiresAt)]
    }

    package var document: JSON {
        [
            "digest": .string(recordID), "deviceId": .string(deviceID), "application": .string(application),
            "context": .string(context.rawValue), "expiresAt": .instant(expiresAt),
            "members": .array(
                members.map { ["issuerId": .string($0.issuerID), "consumerIds": .strings($0.consumerIDs)] }
            ),
        ]
    }

    package init(document: JSON) throws(RecordFault) {
        let reader = DocumentReader(D1Session.kind, document)
        recordID = try reader.string("digest")
        deviceID = try reader.string("deviceId")
        application = try reader.string("application")
        context = try reader.word("context", D1Context.self)
        expiresAt = try reader.instant("expiresAt")
        var members: [Member] = []
        for item in try reader.array("members") {
            let entry = DocumentReader("d1Session.members", item)
            members.append(
                Member(issuerID: try entry.string("issuerId"), consumerIDs: try entry.strings("consumerIds"))
            )
        }
        self.members = members
    }
}

/// What D1's token endpoint gave to an issuer's backend.
package struct D1Bearer: Record, Equatable {
    package static let kind = "d1Bearer"
    /// thales-push-provisioning 5.1.
    package static let lifeSeconds: Int64 = 900

    /// Digest of the access token.
    package let recordID: String
    package let issuerID: String
    package let expiresAt: Instant

    package init(token: String, issuerID: String, expiresAt: Instant) {
        recordID = D1Secret.recordID(token)
        self.issuerID = issuerID
        self.expiresAt = expiresAt
    }

    package var keys: [RecordKey] { [.credential(recordID), D1Secret.hourKey(expiresAt)] }

    package var document: JSON {
        ["digest": .string(recordID), "issuerId": .string(issuerID), "expiresAt": .instant(expiresAt)]
    }

    package init(document: JSON) throws(RecordFault) {
        let reader = DocumentReader(D1Bearer.kind, document)
        recordID = try reader.string("digest")
        issuerID = try reader.string("issuerId")
        expiresAt = try reader.instant("expiresAt")
    }
}

extension World {
    /// Removes credentials of a kind that were over hours ago; until then they are still told apart from unknown ones.
    func removeStale<R: Record>(_ type: R.Type) throws {
        let hour = now.seconds / 3_600
        for stale in (hour - 26)...(hour - 24) {
            for old in try store.records(type, "hour", String(stale)) { try store.remove(type, old.recordID) }
        }
    }
}

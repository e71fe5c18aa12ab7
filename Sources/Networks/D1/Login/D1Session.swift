import Core
import Wire

/// Where a login happens: in the app, or in its Wallet extension.
enum D1Context: String, Sendable, CaseIterable {
    case app
    case `extension`

    /// Whether an application of this kind runs there (CONTRACT, section 8).
    func fits(_ kind: Application.Kind) -> Bool {
        switch self {
        case .app: kind == .app
        case .extension: kind == .extension || kind == .extensionUI
        }
    }
}

/// What a successful `login` opened.
struct D1Session: Record, Equatable {
    static let kind = "d1Session"
    /// thales-push-provisioning 2.5.
    static let lifeSeconds: Int64 = 3_600

    struct Member: Sendable, Equatable {
        let issuerID: String
        let consumerIDs: [String]
    }

    /// Digest of the session token.
    let recordID: String
    let deviceID: String
    let application: String
    let context: D1Context
    let members: [Member]
    let expiresAt: Instant

    init(
        token: String,
        deviceID: String,
        application: String,
        context: D1Context,
        members: [Member],
        expiresAt: Instant
    ) {
        recordID = GivenSecret.recordID(token)
        self.deviceID = deviceID
        self.application = application
        self.context = context
        self.members = members
        self.expiresAt = expiresAt
    }

    var keys: [RecordKey] { [.credential(recordID), RecordKey("device", deviceID), GivenSecret.hourKey(expiresAt)] }
    static var outlivesDevice: Bool { true }

    var document: JSON {
        [
            "digest": .string(recordID), "deviceId": .string(deviceID), "application": .string(application),
            "context": .string(context.rawValue), "expiresAt": .instant(expiresAt),
            "members": .array(
                members.map { ["issuerId": .string($0.issuerID), "consumerIds": .strings($0.consumerIDs)] }
            ),
        ]
    }

    init(document: JSON) throws(RecordFault) {
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

extension D1Session {
    func covers(issuerID: String, consumerID: String) -> Bool {
        members.contains { $0.issuerID == issuerID && $0.consumerIDs.contains(consumerID) }
    }
}

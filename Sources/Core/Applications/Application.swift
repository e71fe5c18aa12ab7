package import Wire

/// An issuer's app or Wallet extension as the wallet knows it.
package struct Application: Record, Equatable {
    /// What records of this type are called in the store.
    package static let kind = "application"

    /// An app, or one of its two extensions.
    package enum Kind: String, Sendable, CaseIterable {
        case app
        case `extension`
        case extensionUI = "extension-ui"
    }

    /// `TEAMID.bundle.id`.
    package let identifier: String
    /// The issuer whose app it is.
    package var issuerID: String
    /// What it is.
    package var applicationKind: Kind
    /// Has `com.apple.developer.payment-pass-provisioning`.
    package var isEntitled: Bool
    /// App groups that it shares with its extensions.
    package var appGroupIDs: [String]
    /// Its number in the App Store, digits.
    package var storeIdentifier: String?
    /// The scheme that opens it, without a colon.
    package var urlScheme: String?

    /// Made of its members.
    package init(
        identifier: String,
        issuerID: String,
        applicationKind: Kind,
        isEntitled: Bool,
        appGroupIDs: [String] = [],
        storeIdentifier: String? = nil,
        urlScheme: String? = nil
    ) {
        self.identifier = identifier
        self.issuerID = issuerID
        self.applicationKind = applicationKind
        self.isEntitled = isEntitled
        self.appGroupIDs = appGroupIDs
        self.storeIdentifier = storeIdentifier
        self.urlScheme = urlScheme
    }

    /// The id under which a tenant has this record.
    package var recordID: String { identifier }

    /// What the store keeps of it.
    package var document: JSON {
        [
            "application": .string(identifier), "issuerId": .string(issuerID),
            "kind": .string(applicationKind.rawValue), "entitled": .bool(isEntitled),
            "appGroupIDs": .strings(appGroupIDs), "storeIdentifier": .optional(storeIdentifier),
            "urlScheme": .optional(urlScheme),
        ]
    }

    /// Reads what the store kept.
    ///
    /// - Throws: the member that is missing or of another type.
    package init(document: JSON) throws(RecordFault) {
        let reader = DocumentReader(Application.kind, document)
        identifier = try reader.string("application")
        issuerID = try reader.string("issuerId")
        applicationKind = try reader.word("kind", Kind.self)
        isEntitled = try reader.bool("entitled")
        appGroupIDs = try reader.strings("appGroupIDs")
        storeIdentifier = try reader.optionalString("storeIdentifier")
        urlScheme = try reader.optionalString("urlScheme")
    }
}

package import Wire

/// An issuer's app or Wallet extension as the wallet knows it.
package struct Application: Record, Equatable {
    package static let kind = "application"

    package enum Kind: String, Sendable, CaseIterable {
        case app
        case `extension`
        case extensionUI = "extension-ui"
    }

    /// `TEAMID.bundle.id`.
    package let identifier: String
    package var issuerID: String
    package var applicationKind: Kind
    /// Has `com.apple.developer.payment-pass-provisioning`.
    package var isEntitled: Bool
    package var appGroupIDs: [String]
    package var storeIdentifier: String?
    package var urlScheme: String?

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

    package var recordID: String { identifier }

    package var document: JSON {
        [
            "application": .string(identifier), "issuerId": .string(issuerID),
            "kind": .string(applicationKind.rawValue), "entitled": .bool(isEntitled),
            "appGroupIDs": .strings(appGroupIDs), "storeIdentifier": .optional(storeIdentifier),
            "urlScheme": .optional(urlScheme),
        ]
    }

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

package import Wire

/// What the issuer told a network about its app (PNO configuration). Each pass keeps a copy of its own.
package struct PassMetadata: Record, Equatable {
    /// What records of this type are called in the store.
    package static let kind = "passMetadata"

    /// The `issuerId` of its issuer, ten characters.
    package let issuerID: String
    /// The network of card and token.
    package let network: PaymentNetwork
    /// The issuer's name as Wallet shows it.
    package var contactName: String
    /// The app's name in the activation methods; nil hides the method.
    package var bankApp: String?
    /// Where Wallet sends the user to activate; needs store ids.
    package var appLaunchURL: String?
    /// App Store ids, digits only.
    package var associatedStoreIdentifiers: [String]
    /// `TEAMID.bundle.id`, or a wildcard (see ``Association``).
    package var associatedApplicationIdentifiers: [String]

    /// Made of its members.
    package init(
        issuerID: String,
        network: PaymentNetwork,
        contactName: String = "",
        bankApp: String? = nil,
        appLaunchURL: String? = nil,
        associatedStoreIdentifiers: [String] = [],
        associatedApplicationIdentifiers: [String] = []
    ) {
        self.issuerID = issuerID
        self.network = network
        self.contactName = contactName
        self.bankApp = bankApp
        self.appLaunchURL = appLaunchURL
        self.associatedStoreIdentifiers = associatedStoreIdentifiers
        self.associatedApplicationIdentifiers = associatedApplicationIdentifiers
    }

    /// The id of the record that belongs to these.
    package static func recordID(issuerID: String, network: PaymentNetwork) -> String {
        "\(issuerID)/\(network.rawValue)"
    }

    /// The id under which a tenant has this record.
    package var recordID: String { PassMetadata.recordID(issuerID: issuerID, network: network) }

    /// What the store keeps of it.
    package var document: JSON {
        [
            "issuerId": .string(issuerID), "network": .string(network.rawValue), "contactName": .string(contactName),
            "bank_app": .optional(bankApp), "appLaunchURL": .optional(appLaunchURL),
            "associatedStoreIdentifiers": .strings(associatedStoreIdentifiers),
            "associatedApplicationIdentifiers": .strings(associatedApplicationIdentifiers),
        ]
    }

    /// Reads what the store kept.
    ///
    /// - Throws: the member that is missing or of another type.
    package init(document: JSON) throws(RecordFault) {
        let reader = DocumentReader(PassMetadata.kind, document)
        issuerID = try reader.string("issuerId")
        network = try reader.word("network", PaymentNetwork.self)
        contactName = try reader.string("contactName")
        bankApp = try reader.optionalString("bank_app")
        appLaunchURL = try reader.optionalString("appLaunchURL")
        associatedStoreIdentifiers = try reader.strings("associatedStoreIdentifiers")
        associatedApplicationIdentifiers = try reader.strings("associatedApplicationIdentifiers")
    }
}

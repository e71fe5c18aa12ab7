package import Wire

/// A funding card of an issuer. Its PAN stands in the vault only.
package struct Card: Record, Equatable {
    package static let kind = "card"

    package enum State: String, Sendable {
        case active
        case blocked
        case closed
    }

    package let issuerID: String
    /// The issuer's own stable id of the card, at most 48 characters, never the PAN. D1 calls it `cardId`.
    package let reference: String
    package var consumerID: String?
    package var network: PaymentNetwork
    package var panSuffix: String
    package var expiry: CardExpiry
    package var holderName: String
    package var state: State
    /// The FPAN id: Apple's `primaryAccountIdentifier`. It survives renewal and replacement of the card.
    package var primaryAccountIdentifier: String
    package var phone: String?
    package var email: String?
    /// Grows with every change in the tenant: of two cards with one PAN, the one used last is meant.
    package var lastUse: Int64

    package init(
        issuerID: String,
        reference: String,
        consumerID: String?,
        network: PaymentNetwork,
        panSuffix: String,
        expiry: CardExpiry,
        holderName: String,
        primaryAccountIdentifier: String,
        lastUse: Int64
    ) {
        self.issuerID = issuerID
        self.reference = reference
        self.consumerID = consumerID
        self.network = network
        self.panSuffix = panSuffix
        self.expiry = expiry
        self.holderName = holderName
        state = .active
        self.primaryAccountIdentifier = primaryAccountIdentifier
        self.lastUse = lastUse
    }

    package static func recordID(issuerID: String, reference: String) -> String { "\(issuerID)/\(reference)" }

    package var recordID: String { Card.recordID(issuerID: issuerID, reference: reference) }
    package var vaultOwner: VaultOwner { VaultOwner(kind: "card", id: recordID) }

    package var references: [RecordReference] { [RecordReference("issuerId", Issuer.self, issuerID)] }
    package var counted: (member: String, number: Int64)? { ("lastUse", lastUse) }
    package var keys: [RecordKey] {
        [
            RecordKey("reference", reference), RecordKey("issuer", issuerID),
            RecordKey("primaryAccountIdentifier", primaryAccountIdentifier),
        ]
    }

    package var document: JSON {
        [
            "issuerId": .string(issuerID), "reference": .string(reference), "consumerId": .optional(consumerID),
            "network": .string(network.rawValue), "panSuffix": .string(panSuffix), "expiry": .string(expiry.mmyy),
            "holderName": .string(holderName), "state": .string(state.rawValue),
            "primaryAccountIdentifier": .string(primaryAccountIdentifier), "phone": .optional(phone),
            "email": .optional(email), "lastUse": .number(lastUse),
        ]
    }

    package init(document: JSON) throws(RecordFault) {
        let reader = DocumentReader(Card.kind, document)
        issuerID = try reader.string("issuerId")
        reference = try reader.string("reference")
        consumerID = try reader.optionalString("consumerId")
        network = try reader.word("network", PaymentNetwork.self)
        panSuffix = try reader.string("panSuffix")
        guard let expiry = try? CardExpiry(mmyy: try reader.string("expiry")) else {
            throw RecordFault(kind: Card.kind, member: "expiry")
        }
        self.expiry = expiry
        holderName = try reader.string("holderName")
        state = try reader.word("state", State.self)
        primaryAccountIdentifier = try reader.string("primaryAccountIdentifier")
        phone = try reader.optionalString("phone")
        email = try reader.optionalString("email")
        lastUse = try reader.integer("lastUse")
    }
}

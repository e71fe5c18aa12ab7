package import Wire

/// A funding card of an issuer. Its PAN stands in the vault only.
package struct Card: Record, Equatable {
    /// What records of this type are called in the store.
    package static let kind = "card"

    /// What the issuer says of the card.
    package enum State: String, Sendable {
        case active
        case blocked
        case closed
    }

    /// The issuer of the card.
    package let issuerID: String
    /// The issuer's own stable id of the card, at most 48 characters, never the PAN. D1 calls it `cardId`.
    package let reference: String
    /// Its owner at D1; nil for a card that D1 does not know.
    package var consumerID: String?
    /// The network of card and token.
    package var network: PaymentNetwork
    /// The last four digits.
    package var panSuffix: String
    /// The month in which the card ends.
    package var expiry: CardExpiry
    /// The cardholder's name as it was sent.
    package var holderName: String
    /// What the issuer says of the card.
    package var state: State
    /// The FPAN id: Apple's `primaryAccountIdentifier`. It survives renewal and replacement of the card.
    package var primaryAccountIdentifier: String
    /// Where an SMS would go.
    package var phone: String?
    /// Where a mail would go.
    package var email: String?
    /// Grows with every change in the tenant: of two cards with one PAN, the one used last is meant.
    package var lastUse: Int64

    /// Made of its members.
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

    /// The id of the record that belongs to these.
    package static func recordID(issuerID: String, reference: String) -> String { "\(issuerID)/\(reference)" }

    /// The id under which a tenant has this record.
    package var recordID: String { Card.recordID(issuerID: issuerID, reference: reference) }
    /// Whose number it is in the vault.
    package var vaultOwner: VaultOwner { VaultOwner(kind: "card", id: recordID) }

    /// The records without which it makes no sense.
    package var references: [RecordReference] { [RecordReference("issuerId", Issuer.self, issuerID)] }
    /// The member that keeps its order, given out once in a tenant.
    package var counted: (member: String, number: Int64)? { ("lastUse", lastUse) }
    /// What the record can be looked up by, besides its id.
    package var keys: [RecordKey] {
        [
            RecordKey("reference", reference), RecordKey("issuer", issuerID),
            RecordKey("primaryAccountIdentifier", primaryAccountIdentifier),
        ]
    }

    /// What the store keeps of it.
    package var document: JSON {
        [
            "issuerId": .string(issuerID), "reference": .string(reference), "consumerId": .optional(consumerID),
            "network": .string(network.rawValue), "panSuffix": .string(panSuffix), "expiry": .string(expiry.mmyy),
            "holderName": .string(holderName), "state": .string(state.rawValue),
            "primaryAccountIdentifier": .string(primaryAccountIdentifier), "phone": .optional(phone),
            "email": .optional(email), "lastUse": .number(lastUse),
        ]
    }

    /// Reads what the store kept.
    ///
    /// - Throws: the member that is missing or of another type.
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

package import Wire

/// What registering a card and operations on it leave beside the card itself.
package struct CardDetails: Record, Equatable {
    /// What records of this type are called in the store.
    package static let kind = "d1Card"

    /// The card's own.
    package let recordID: String
    /// The issuer's product, as it was registered.
    package var productID: String?
    /// Why it is suspended; nil when it is not.
    package var suspendedFor: CardOperation.Reason?
    /// When it was made, by the tenant's clock.
    package let createdAt: Instant
    /// When it was last changed, by the tenant's clock.
    package var updatedAt: Instant

    /// Made of its members.
    package init(recordID: String, productID: String?, createdAt: Instant) {
        self.recordID = recordID
        self.productID = productID
        self.createdAt = createdAt
        updatedAt = createdAt
    }

    /// The records without which it makes no sense.
    package var references: [RecordReference] { [RecordReference("card", Card.self, recordID)] }

    /// What the store keeps of it.
    package var document: JSON {
        [
            "card": .string(recordID), "productId": .optional(productID),
            "suspendedFor": .optional(suspendedFor?.rawValue), "createdAt": .instant(createdAt),
            "updatedAt": .instant(updatedAt),
        ]
    }

    /// Reads what the store kept.
    ///
    /// - Throws: the member that is missing or of another type.
    package init(document: JSON) throws(RecordFault) {
        let reader = DocumentReader(CardDetails.kind, document)
        recordID = try reader.string("card")
        productID = try reader.optionalString("productId")
        suspendedFor = try reader.optionalWord("suspendedFor", CardOperation.Reason.self)
        createdAt = try reader.instant("createdAt")
        updatedAt = try reader.instant("updatedAt")
    }
}

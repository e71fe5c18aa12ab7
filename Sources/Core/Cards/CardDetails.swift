package import Wire

/// What registering a card and operations on it leave beside the card itself.
package struct CardDetails: Record, Equatable {
    package static let kind = "d1Card"

    /// The card's own.
    package let recordID: String
    package var productID: String?
    package var suspendedFor: CardOperation.Reason?
    package let createdAt: Instant
    package var updatedAt: Instant

    package init(recordID: String, productID: String?, createdAt: Instant) {
        self.recordID = recordID
        self.productID = productID
        self.createdAt = createdAt
        updatedAt = createdAt
    }

    package var references: [RecordReference] { [RecordReference("card", Card.self, recordID)] }

    package var document: JSON {
        [
            "card": .string(recordID), "productId": .optional(productID),
            "suspendedFor": .optional(suspendedFor?.rawValue), "createdAt": .instant(createdAt),
            "updatedAt": .instant(updatedAt),
        ]
    }

    package init(document: JSON) throws(RecordFault) {
        let reader = DocumentReader(CardDetails.kind, document)
        recordID = try reader.string("card")
        productID = try reader.optionalString("productId")
        suspendedFor = try reader.optionalWord("suspendedFor", CardOperation.Reason.self)
        createdAt = try reader.instant("createdAt")
        updatedAt = try reader.instant("updatedAt")
    }
}

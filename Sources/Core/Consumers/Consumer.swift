package import Wire

/// A cardholder as an issuer registers one: an id of its own, and what it told beside it.
package struct Consumer: Record, Equatable {
    /// What records of this type are called in the store.
    package static let kind = "consumer"

    /// Whether a consumer may still do anything.
    package enum State: String, Sendable, CaseIterable {
        case active
        case inactive
    }

    /// The `issuerId` of its issuer, ten characters.
    package let issuerID: String
    /// 1 to 64 of `A–Z a–z 0–9 _ -` (thales-push-provisioning 0).
    package let consumerID: String
    /// Whether it may still do anything.
    package var state: State
    /// Personal data as the issuer sent it.
    package var details: JSONObject

    /// Made of its members.
    package init(issuerID: String, consumerID: String, state: State = .active, details: JSONObject = JSONObject()) {
        self.issuerID = issuerID
        self.consumerID = consumerID
        self.state = state
        self.details = details
    }

    /// 1 to 64 of the characters that D1 allows, without a card number among them: the id is shown wherever the card is.
    package static func isConsumerID(_ text: String) -> Bool {
        RegistryIdentifier.isValid(text, limit: 64) && !CardReference.holdsCardNumber(text)
    }

    /// The id of the record that belongs to these.
    package static func recordID(issuerID: String, consumerID: String) -> String { "\(issuerID)/\(consumerID)" }

    /// The id under which a tenant has this record.
    package var recordID: String { Consumer.recordID(issuerID: issuerID, consumerID: consumerID) }
    /// What the record can be looked up by, besides its id.
    package var keys: [RecordKey] { [RecordKey("issuer", issuerID)] }

    /// What the store keeps of it.
    package var document: JSON {
        [
            "issuerId": .string(issuerID), "consumerId": .string(consumerID), "state": .string(state.rawValue),
            "details": .object(details),
        ]
    }

    /// Reads what the store kept.
    ///
    /// - Throws: the member that is missing or of another type.
    package init(document: JSON) throws(RecordFault) {
        let reader = DocumentReader(Consumer.kind, document)
        issuerID = try reader.string("issuerId")
        consumerID = try reader.string("consumerId")
        state = try reader.word("state", State.self)
        details = try reader.optionalObject("details") ?? JSONObject()
    }
}

extension View {
    /// The issuer's consumer of that id.
    package func consumer(issuerID: String, consumerID: String) throws -> Consumer? {
        try store.record(Consumer.self, Consumer.recordID(issuerID: issuerID, consumerID: consumerID))
    }

    /// The consumer's cards that are not closed, in order of registration.
    package func cards(ofConsumer consumerID: String, issuerID: String) throws -> [Card] {
        try store.records(Card.self, "issuer", issuerID).filter { $0.consumerID == consumerID && $0.state != .closed }
    }
}

extension World {
    /// Removes a consumer with its cards; their digital cards are deleted.
    package func removeConsumer(_ consumer: Consumer) throws {
        for card in try view.cards(ofConsumer: consumer.consumerID, issuerID: consumer.issuerID) {
            _ = try perform(.delete, .issuerDecision, on: card, replacement: nil)
        }
        try store.remove(Consumer.self, consumer.recordID)
    }
}

extension Consumer {
    /// As it would be embossed.
    var fullName: String? {
        let parts = ["firstName", "lastName"].compactMap { details[$0]?.string }.filter { !$0.isEmpty }
        return parts.isEmpty ? nil : parts.joined(separator: " ").uppercased()
    }
}

package import Wire

/// A cardholder as D1 knows one: an id of the issuer's, and what the issuer told beside it.
package struct Consumer: Record, Equatable {
    package static let kind = "consumer"

    package enum State: String, Sendable, CaseIterable {
        case active
        case inactive
    }

    package let issuerID: String
    /// 1 to 64 of `A–Z a–z 0–9 _ -` (thales-push-provisioning 0).
    package let consumerID: String
    package var state: State
    /// Personal data as the issuer sent it.
    package var details: JSONObject

    package init(issuerID: String, consumerID: String, state: State = .active, details: JSONObject = JSONObject()) {
        self.issuerID = issuerID
        self.consumerID = consumerID
        self.state = state
        self.details = details
    }

    package static func isConsumerID(_ text: String) -> Bool { D1Identifier.isValid(text, limit: 64) }

    package static func recordID(issuerID: String, consumerID: String) -> String { "\(issuerID)/\(consumerID)" }

    package var recordID: String { Consumer.recordID(issuerID: issuerID, consumerID: consumerID) }
    package var keys: [RecordKey] { [RecordKey("issuer", issuerID)] }

    package var document: JSON {
        [
            "issuerId": .string(issuerID), "consumerId": .string(consumerID), "state": .string(state.rawValue),
            "details": .object(details),
        ]
    }

    package init(document: JSON) throws(RecordFault) {
        let reader = DocumentReader(Consumer.kind, document)
        issuerID = try reader.string("issuerId")
        consumerID = try reader.string("consumerId")
        state = try reader.word("state", State.self)
        details = try reader.optionalObject("details") ?? JSONObject()
    }
}

/// Ids that D1 takes: `[A-Za-z0-9_-]`, as long as each field allows.
package enum D1Identifier {
    package static func isValid(_ text: String, limit: Int) -> Bool {
        (1...limit).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
                default: false
                }
            }
    }

    /// Longest `cardId`.
    package static let cardLimit = 48
}

extension View {
    package func consumer(issuerID: String, consumerID: String) throws -> Consumer? {
        try store.record(Consumer.self, Consumer.recordID(issuerID: issuerID, consumerID: consumerID))
    }

    /// The consumer's cards that are not closed, in order of registration.
    package func cards(ofConsumer consumerID: String, issuerID: String) throws -> [Card] {
        try store.records(Card.self, "issuer", issuerID).filter { $0.consumerID == consumerID && $0.state != .closed }
    }
}

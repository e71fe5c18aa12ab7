package import Core
import Wire

/// What a request turned out to be about, as far as a fault rule can ask for it.
package struct FaultSubject: Sendable, Equatable {
    package var tokenIDs: Set<String> = []
    /// Last four digits of card numbers.
    package var cardSuffixes: Set<String> = []
    package var issuerIDs: Set<String> = []
    /// Cards by their names; of several the request is about one. Which card that is, the store knows, and it is asked only
    /// when a rule wants to know.
    package private(set) var cards: [CardName] = []
    /// Applications, which are each an issuer's; the store knows whose.
    package private(set) var applications: Set<String> = []

    package init() {}

    package var isEmpty: Bool {
        tokenIDs.isEmpty && cardSuffixes.isEmpty && issuerIDs.isEmpty && cards.isEmpty && applications.isEmpty
    }

    /// An issuer's name for a card.
    package struct CardName: Sendable, Equatable {
        package let issuerID: String
        package let reference: String
        /// Whose card it may be; nil when any consumer's will do.
        package let consumerIDs: [String]?

        package init(issuerID: String, reference: String, consumerIDs: [String]? = nil) {
            self.issuerID = issuerID
            self.reference = reference
            self.consumerIDs = consumerIDs
        }
    }

    /// The request is about a card that has this name, or another one that is noted.
    package mutating func note(_ card: CardName) { cards.append(card) }

    /// The request comes from this application.
    package mutating func note(application: String?) { if let application { applications.insert(application) } }

    /// The request is about this issuer.
    package mutating func note(issuerID: String?) { if let issuerID { issuerIDs.insert(issuerID) } }

    /// The request is about this card.
    package mutating func note(_ pan: PAN) { cardSuffixes.insert(pan.suffix) }

    package mutating func add(_ other: FaultSubject) {
        tokenIDs.formUnion(other.tokenIDs)
        cardSuffixes.formUnion(other.cardSuffixes)
        issuerIDs.formUnion(other.issuerIDs)
    }

    /// Takes what a name and a value of path, query or body say.
    package mutating func take(_ name: String, _ value: String) {
        switch name {
        case "tokenId", "tokenID", "digitalCardId": tokenIDs.insert(value)
        case "primaryAccountSuffix", "primaryAccountNumberSuffix", "last4", "pan":
            if value.utf8.count >= 4 { cardSuffixes.insert(String(value.suffix(4))) }
        case "issuerId", "issuerID": issuerIDs.insert(value)
        default: break
        }
    }

    /// Takes what the members of a body say, one level deep: deeper ones are about other things.
    package mutating func take(body: [UInt8]) {
        guard body.first == 0x7B, case .object(let object)? = try? JSON.parse(body) else { return }
        for (name, value) in object.members { if let text = value.string { take(name, text) } }
    }
}

extension FaultMatch {
    /// Whether the conditions about the subject hold.
    ///
    /// - Parameter isFinal: false while the handler may still find out more.
    /// - Returns: nil when that is not known yet.
    package func matches(_ subject: FaultSubject, isFinal: Bool) -> Bool? {
        let questions = [
            (wanted: tokenID, known: subject.tokenIDs), (wanted: cardLast4, known: subject.cardSuffixes),
            (wanted: issuerID, known: subject.issuerIDs),
        ]
        var isOpen = false
        for question in questions {
            guard let wanted = question.wanted else { continue }
            if question.known.contains(wanted) { continue }
            guard question.known.isEmpty, !isFinal else { return false }
            isOpen = true
        }
        return isOpen ? nil : true
    }
}

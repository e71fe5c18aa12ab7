package import Wire

/// Card numbers that belong to an issuer: all of one length between two bounds, or all with a prefix.
package struct AccountRange: Sendable, Equatable {
    /// The first number of the range, digits.
    package let low: String
    /// The last number of the range, as many digits.
    package let high: String

    /// Nil unless both are digits, of one length of 2 to 19, in order.
    package init?(low: String, high: String) {
        let isDigits = (low + high).utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard isDigits, low.utf8.count == high.utf8.count, (2...19).contains(low.utf8.count), low <= high else {
            return nil
        }
        self.low = low
        self.high = high
    }

    /// True when the number begins within the bounds. Bounds shorter than the number compare with its beginning.
    package func contains(_ pan: PAN) -> Bool {
        guard pan.digits.utf8.count >= low.utf8.count else { return false }
        let head = String(pan.digits.prefix(low.utf8.count))
        let isExact = low.utf8.count >= 12
        return low <= head && head <= high && (!isExact || pan.digits.utf8.count == low.utf8.count)
    }

    /// As the control API and the store write it.
    package var document: JSON { ["low": .string(low), "high": .string(high)] }

    init(document: JSON) throws(RecordFault) {
        let reader = DocumentReader("issuer.accountRange", document)
        guard let range = AccountRange(low: try reader.string("low"), high: try reader.string("high")) else {
            throw RecordFault(kind: "issuer.accountRange", member: "low")
        }
        self = range
    }
}

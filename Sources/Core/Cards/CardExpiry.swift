package import Wire

/// The month a card or token ends with. Years are 2000 to 2099, as two digits allow no more.
package struct CardExpiry: Hashable, Sendable {
    /// 1 to 12.
    package let month: Int
    /// Four digits.
    package let year: Int

    /// Nil for a month that does not exist, and for a year that no card has.
    package init?(month: Int, year: Int) {
        guard (1...12).contains(month), (2_000...2_099).contains(year) else { return nil }
        self.month = month
        self.year = year
    }

    /// What can be wrong with an expiry's text.
    package enum Fault: Error, Sendable {
        /// Not digits in the expected places.
        case form
        /// The month is not 01 to 12.
        case month
    }

    /// From `MMYY`, as the card payload and ISO 8583 field 14 reversed write it.
    package init(mmyy text: String) throws(Fault) {
        guard text.utf8.count == 4, let value = CardExpiry.digits(text) else { throw .form }
        guard let expiry = CardExpiry(month: value / 100, year: 2_000 + value % 100) else { throw .month }
        self = expiry
    }

    /// From `MM/YY`, as Apple's pass data writes it.
    package init(slashed text: String) throws(Fault) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 }) else { throw .form }
        try self.init(mmyy: String(parts[0] + parts[1]))
    }

    private static func digits(_ text: String) -> Int? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }

    /// Four digits, as the payload has it.
    package var mmyy: String { CardExpiry.twoDigits(month) + CardExpiry.twoDigits(year % 100) }
    /// `MM/YY`, as PassKit has it.
    package var slashed: String { CardExpiry.twoDigits(month) + "/" + CardExpiry.twoDigits(year % 100) }

    private static func twoDigits(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }

    /// True once the month is over in UTC.
    package func isOver(at now: Instant) -> Bool {
        let today = now.civil
        return (year, month) < (today.year, today.month)
    }

    /// So many years later, at most 2099.
    package func adding(years: Int) -> CardExpiry? { CardExpiry(month: month, year: min(year + years, 2_099)) }
}

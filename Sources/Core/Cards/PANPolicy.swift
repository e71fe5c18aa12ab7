package import Wire

/// Which card numbers the sandbox takes.
package struct PANPolicy: Sendable {
    /// Test numbers only, or any.
    package enum Mode: String, Sendable, CaseIterable {
        /// Published test numbers and the ranges of `fixtures/test-pans.json` only.
        case testOnly = "test-only"
        case any
    }

    /// Numbers from one to another, of one length.
    package struct Range: Sendable, Equatable {
        /// The first number, digits.
        package let low: String
        /// The last number, digits.
        package let high: String

        /// Made of its members.
        package init(low: String, high: String) {
            self.low = low
            self.high = high
        }

        /// Whether the number is as long and lies between.
        package func contains(_ pan: PAN) -> Bool {
            pan.digits.utf8.count == low.utf8.count && low <= pan.digits && pan.digits <= high
        }
    }

    /// Whether others than test numbers are taken.
    package let mode: Mode
    private let numbers: Set<String>
    private let ranges: [Range]

    /// Made of its members.
    package init(mode: Mode, numbers: some Sequence<String>, ranges: [Range]) {
        self.mode = mode
        self.numbers = Set(numbers)
        self.ranges = ranges
    }

    /// The ranges that hold numbers of a network.
    package func ranges(of network: PaymentNetwork) -> [Range] {
        ranges.filter { PaymentNetwork(pan: $0.low) == network }
    }

    /// Whether the number may come in.
    package func allows(_ pan: PAN) -> Bool {
        mode == .any || numbers.contains(pan.digits) || ranges.contains { $0.contains(pan) }
    }

    /// From `fixtures/test-pans.json`; nil when the document has another shape.
    package init?(mode: Mode, document: JSON) {
        guard let numbers = document["numbers"]?.array, let ranges = document["ranges"]?.array else { return nil }
        self.init(
            mode: mode,
            numbers: numbers.compactMap(\.string),
            ranges: ranges.compactMap { range in
                guard let low = range["low"]?.string, let high = range["high"]?.string else { return nil }
                return Range(low: low, high: high)
            }
        )
    }
}

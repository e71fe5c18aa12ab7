/// Durations by size. The bounds are in microseconds and fixed; a duration equal to a bound is within it.
package struct Histogram: Sendable, Equatable {
    /// From half a millisecond to ten seconds.
    package static let requestBounds: [Int64] = [
        500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000,
        10_000_000,
    ]
    /// From ten microseconds to one second.
    package static let storeBounds: [Int64] = [
        10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 100_000, 1_000_000,
    ]

    package let bounds: [Int64]
    /// For each bound the durations above the one before; one more for those above the last.
    private var counts: [Int]
    /// Sum of all durations, in microseconds.
    package private(set) var sum: Int64 = 0

    package init(bounds: [Int64]) {
        self.bounds = bounds
        counts = [Int](repeating: 0, count: bounds.count + 1)
    }

    /// How many durations there were.
    package var count: Int { counts.reduce(0, +) }

    package mutating func record(microseconds: Int64) {
        var place = 0
        while place < bounds.count, bounds[place] < microseconds { place += 1 }
        counts[place] += 1
        sum += max(0, microseconds)
    }

    /// For each bound how many durations were within it.
    package var cumulative: [Int] {
        var total = 0
        return counts.dropLast().map { count in
            total += count
            return total
        }
    }
}

extension Duration {
    /// Whole microseconds.
    package var microseconds: Int64 { components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000 }
}

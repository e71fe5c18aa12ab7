/// Counts calls by operation and request id, for the pairs seen last.
struct AttemptTable {
    private struct Key: Hashable {
        let operation: String
        let requestID: String

        /// Few operations share an id, so the id alone tells most keys apart.
        func hash(into hasher: inout Hasher) { hasher.combine(requestID) }
    }

    private let capacity: Int
    private var counts: [Key: Int] = [:]
    /// Keys in order of first sight, from `head` on and round again.
    private var order: [Key?] = []
    private var head = 0

    /// Memory that one pair takes, roughly, its id aside.
    private static let pairSize = 160

    /// Memory that the table takes, roughly.
    private(set) var bytes = 0

    init(capacity: Int) { self.capacity = max(1, capacity) }

    /// Counts one call and gives the count.
    mutating func count(_ operation: String, _ requestID: String) -> Int {
        let key = Key(operation: operation, requestID: requestID)
        if let count = counts[key] {
            counts[key] = count + 1
            return count + 1
        }
        if counts.count == capacity { dropOldest() }
        if counts.count == order.count { grow() }
        order[(head + counts.count) % order.count] = key
        counts[key] = 1
        bytes += Self.pairSize + requestID.utf8.count
        return 1
    }

    /// Forgets the pair seen first.
    mutating func dropOldest() {
        guard !counts.isEmpty, let key = order[head] else { return }
        counts[key] = nil
        order[head] = nil
        head = (head + 1) % order.count
        bytes -= Self.pairSize + key.requestID.utf8.count
    }

    /// Twice the room, up to the capacity, with the oldest pair in the first place.
    private mutating func grow() {
        var larger = [Key?](repeating: nil, count: min(capacity, max(16, order.count * 2)))
        for offset in 0..<counts.count { larger[offset] = order[(head + offset) % order.count] }
        order = larger
        head = 0
    }
}

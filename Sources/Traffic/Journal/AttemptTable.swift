/// Counts calls by operation and request id, for the pairs seen last.
///
/// Pairs are known by a hash of 64 bits, so that a table of thousands holds no text. Two pairs that share one would be
/// counted together: one chance in 10^11 for a full table.
struct AttemptTable {
    private typealias Key = Int

    private let capacity: Int
    private var counts: [Key: Int] = [:]
    /// Keys in order of first sight, from `head` on and round again.
    private var order: [Key] = []
    private var head = 0

    /// Memory that one pair takes, roughly.
    private static let pairSize = 48

    /// Memory that the table takes, roughly.
    var bytes: Int { counts.count * Self.pairSize }

    init(capacity: Int) { self.capacity = max(1, capacity) }

    /// Counts one call and gives the count.
    mutating func count(_ operation: String, _ requestID: String) -> Int {
        let key = Self.key(operation, requestID)
        if let count = counts[key] {
            counts[key] = count + 1
            return count + 1
        }
        if counts.count == capacity { dropOldest() }
        if counts.count == order.count { grow() }
        order[(head + counts.count) % order.count] = key
        counts[key] = 1
        return 1
    }

    /// Forgets the pair seen first.
    mutating func dropOldest() {
        guard !counts.isEmpty else { return }
        counts[order[head]] = nil
        head = (head + 1) % order.count
    }

    private static func key(_ operation: String, _ requestID: String) -> Key {
        var hasher = Hasher()
        hasher.combine(operation)
        hasher.combine(requestID)
        return hasher.finalize()
    }

    /// Twice the room, up to the capacity, with the oldest pair in the first place.
    private mutating func grow() {
        var larger = [Key](repeating: 0, count: min(capacity, max(16, order.count * 2)))
        for offset in 0..<counts.count { larger[offset] = order[(head + offset) % order.count] }
        order = larger
        head = 0
    }
}

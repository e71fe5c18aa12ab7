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
    /// Keys in order of first sight; the place that is written next is the oldest once the table is full.
    private var order: [Key] = []
    private var next = 0

    init(capacity: Int) { self.capacity = max(1, capacity) }

    /// Counts one call and gives the count.
    mutating func count(_ operation: String, _ requestID: String) -> Int {
        let key = Key(operation: operation, requestID: requestID)
        if let count = counts[key] {
            counts[key] = count + 1
            return count + 1
        }
        if order.count < capacity {
            order.append(key)
        } else {
            counts[order[next]] = nil
            order[next] = key
            next = (next + 1) % capacity
        }
        counts[key] = 1
        return 1
    }
}

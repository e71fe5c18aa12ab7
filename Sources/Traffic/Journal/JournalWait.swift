/// What a long poll on the journal asks for.
package struct JournalWait: Sendable, Equatable {
    package static let largestCount = 10_000
    package static let longestMilliseconds: Int64 = 60_000

    package var filter: JournalFilter
    /// Entries that must match.
    package var count: Int
    /// How long it may take, in real time.
    package var milliseconds: Int64

    package init(filter: JournalFilter, count: Int, milliseconds: Int64) {
        self.filter = filter
        self.count = count
        self.milliseconds = milliseconds
    }

    /// The parameters that are not filters.
    private static let own = ["count", "timeout"]

    /// Names of the query parameters of a long poll.
    package static let parameters = own + JournalFilter.parameters

    /// Reads `count`, `timeout` and the filter from a query's pairs.
    ///
    /// - Throws: ``JournalFilterFault`` naming the parameter.
    package static func parse(_ query: [(name: String, value: String)]) throws(JournalFilterFault) -> JournalWait {
        var wait = JournalWait(filter: JournalFilter(), count: 1, milliseconds: 30_000)
        var seen: Set<String> = []
        for pair in query where own.contains(pair.name) {
            guard seen.insert(pair.name).inserted else {
                throw JournalFilterFault(reason: .repeated, parameter: pair.name)
            }
            if pair.name == "count" {
                wait.count = try JournalFilter.number(pair, 1...largestCount)
            } else {
                wait.milliseconds = try milliseconds(pair)
            }
        }
        // What was waited for is shown whole.
        wait.filter = try JournalFilter.parse(query, others: own, limit: max(wait.count, JournalFilter.defaultLimit))
        wait.filter.direction = wait.filter.direction ?? .inbound
        return wait
    }

    /// Seconds with a fraction; what is less than a millisecond counts as one.
    private static func milliseconds(_ pair: (name: String, value: String)) throws(JournalFilterFault) -> Int64 {
        let parts = pair.value.utf8.split(separator: 0x2E, maxSplits: 1, omittingEmptySubsequences: false)
        let areDigits = parts.allSatisfy { part in !part.isEmpty && part.allSatisfy { (0x30...0x39).contains($0) } }
        guard areDigits, pair.value.utf8.count <= 20, let seconds = Double(pair.value),
            (0...Double(longestMilliseconds) / 1_000).contains(seconds)
        else {
            throw JournalFilterFault(
                reason: .seconds,
                parameter: pair.name,
                detail: "a number of seconds from 0 to 60, such as 1.5"
            )
        }
        return Int64((seconds * 1_000).rounded(.up))
    }
}

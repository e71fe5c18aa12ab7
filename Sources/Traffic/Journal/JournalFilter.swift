package import Wire

/// Which entries are asked for; every condition must hold.
package struct JournalFilter: Sendable, Equatable {
    package static let defaultLimit = 100
    package static let largestLimit = 10_000

    package var face: String?
    package var operation: String?
    package var status: Int?
    package var tokenID: String?
    /// Any code of the entry.
    package var diagnosis: String?
    /// Entries of this instant or later, in tenant time.
    package var since: Instant?
    /// Only those that come from now on.
    package var isFromNow = false
    /// Only what came in, or only what went out; nil for both.
    package var direction: JournalEntry.Direction?
    package var requestID: String?
    package var limit: Int

    package init(
        face: String? = nil,
        operation: String? = nil,
        status: Int? = nil,
        tokenID: String? = nil,
        diagnosis: String? = nil,
        since: Instant? = nil,
        limit: Int = defaultLimit
    ) {
        self.face = face
        self.operation = operation
        self.status = status
        self.tokenID = tokenID
        self.diagnosis = diagnosis
        self.since = since
        self.limit = limit
    }

    package func matches(_ entry: JournalEntry) -> Bool {
        (face == nil || entry.face == face)
            && (operation == nil || entry.operation == operation)
            && (status == nil || entry.status == status)
            && (tokenID == nil || entry.tokenID == tokenID)
            && (diagnosis.map(entry.diagnosis.contains) ?? true)
            && (since.map { entry.at >= $0 } ?? true)
            && (direction == nil || entry.direction == direction)
            && (requestID == nil || entry.requestID == requestID)
    }
}

extension JournalFilter {
    private enum Parameter: String, CaseIterable {
        case face, operation, status, tokenId, diagnosis, since, direction, requestId, limit
    }

    /// Names of the query parameters of a filter.
    package static let parameters = Parameter.allCases.map(\.rawValue)

    /// Reads the filter from a query's pairs.
    ///
    /// - Parameters:
    ///   - others: Names that the caller reads itself and that are passed over here.
    ///   - limit: What holds when the query says nothing of it.
    /// - Throws: ``JournalFilterFault`` naming the parameter.
    package static func parse(
        _ query: [(name: String, value: String)],
        others: [String] = [],
        limit: Int = defaultLimit
    ) throws(JournalFilterFault) -> JournalFilter {
        var filter = JournalFilter(limit: limit)
        var seen: Set<String> = []
        for pair in query where !others.contains(pair.name) {
            guard let parameter = Parameter(rawValue: pair.name) else {
                throw JournalFilterFault(reason: .unknown, parameter: pair.name, detail: names(others))
            }
            guard seen.insert(pair.name).inserted else {
                throw JournalFilterFault(reason: .repeated, parameter: pair.name)
            }
            switch parameter {
            case .face: filter.face = pair.value
            case .operation: filter.operation = pair.value
            case .status: filter.status = try number(pair, 100...999)
            case .tokenId: filter.tokenID = pair.value
            case .diagnosis: filter.diagnosis = pair.value
            case .since:
                filter.isFromNow = pair.value == "now"
                filter.since = filter.isFromNow ? nil : try time(pair)
            case .direction:
                guard let direction = JournalEntry.Direction(rawValue: pair.value) else {
                    throw JournalFilterFault(
                        reason: .word,
                        parameter: pair.name,
                        detail: JournalEntry.Direction.allCases.map(\.rawValue).joined(separator: " or ")
                    )
                }
                filter.direction = direction
            case .requestId: filter.requestID = pair.value
            case .limit: filter.limit = try number(pair, 1...largestLimit)
            }
        }
        return filter
    }

    /// The parameters that there are, as words.
    private static func names(_ others: [String]) -> String {
        let names = Parameter.allCases.map(\.rawValue) + others
        return names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
    }

    static func number(
        _ pair: (name: String, value: String),
        _ range: ClosedRange<Int>
    ) throws(JournalFilterFault) -> Int {
        guard pair.value.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(pair.value),
            range.contains(number)
        else {
            throw JournalFilterFault(
                reason: .number,
                parameter: pair.name,
                detail: "a whole number from \(range.lowerBound) to \(range.upperBound)"
            )
        }
        return number
    }

    private static func time(_ pair: (name: String, value: String)) throws(JournalFilterFault) -> Instant {
        if pair.value == "0" { return Instant(milliseconds: .min) }
        guard let instant = RFC3339.parse(pair.value) else {
            throw JournalFilterFault(
                reason: .time,
                parameter: pair.name,
                detail: "an RFC 3339 time such as 2030-01-01T00:00:00Z, now, or 0"
            )
        }
        return instant
    }
}

package import Core
package import Wire

/// What happened, per tenant. Bounded: the oldest entries go first, and their number is known.
package protocol Journal: Sendable {
    /// Counts one call of an operation with a request id, and gives how many there have been, this one included.
    /// Faults match on it before the entry exists.
    func attempt(of operation: String, requestID: String, in tenant: TenantName) async -> Int

    /// Adds an entry at the end of its tenant's journal; counts the attempt when the entry has none.
    @discardableResult
    func append(_ entry: JournalEntry) async -> JournalPlace

    /// Notes in an entry that its client left after it was written; nothing when the entry is gone.
    func noteClientLeft(at place: JournalPlace, of tenant: TenantName) async

    /// Entries that match and stand at `position` or later, newest first, at most `filter.limit`.
    func entries(of tenant: TenantName, matching filter: JournalFilter, from position: Int) async -> JournalPage

    /// Every entry with a request id, newest first: retries share the id.
    func entries(of tenant: TenantName, requestID: String) async -> [JournalEntry]

    /// Begins to count entries that match: without `filter.since` those that are added from now on, by their place and
    /// not by a clock; else those that are kept as well. The watch must be closed.
    ///
    /// - Returns: nil when the tenant has as many watches as it may have.
    func watch(_ tenant: TenantName, matching filter: JournalFilter, count: Int) async -> JournalWatch?

    /// Lets a watch go.
    func close(_ watch: JournalWatch, of tenant: TenantName) async

    /// Empties a tenant's journal and its count of dropped entries. Positions and attempts go on; watches end.
    func clear(_ tenant: TenantName) async

    /// The same for a world that begins anew: its attempts as well.
    func restart(_ tenant: TenantName) async

    /// Lets go of all that is kept for a tenant that no longer exists, and ends its watches.
    func forget(_ tenant: TenantName) async

    /// What all tenants' journals hold.
    var totals: JournalTotals { get async }
}

extension Journal {
    /// Entries that match, newest first, at most `filter.limit`.
    package func entries(of tenant: TenantName, matching filter: JournalFilter) async -> JournalPage {
        await entries(of: tenant, matching: filter, from: 0)
    }
}

/// Where an entry stands, for as long as it is kept.
package struct JournalPlace: Sendable, Equatable {
    /// Which of the journals that had the tenant's name.
    let world: UInt64
    let position: Int
}

/// A part of a tenant's journal.
package struct JournalPage: Sendable, Equatable {
    /// Newest first.
    package var items: [JournalEntry]
    /// Entries that the bounds pushed out since the journal was last cleared.
    package var dropped: Int
    /// How many entries the tenant ever had: the position after the newest.
    package var position: Int

    package init(items: [JournalEntry], dropped: Int, position: Int) {
        self.items = items
        self.dropped = dropped
        self.position = position
    }

    /// The list as the control API shows it.
    package var json: JSON {
        .object(JSONObject([("items", .array(items.map(\.json))), ("dropped", .number(dropped))]))
    }

    /// The answer of a long poll; `isComplete` is whether enough entries came.
    package func json(isComplete: Bool) -> JSON {
        .object(
            JSONObject([
                ("items", .array(items.map(\.json))), ("dropped", .number(dropped)), ("complete", .bool(isComplete)),
            ])
        )
    }

    /// Oldest first, one JSON document on each line.
    package var lines: [UInt8] {
        items.reversed().reduce(into: []) { bytes, entry in
            bytes += entry.json.bytes
            bytes.append(0x0A)
        }
    }
}

/// The journals of all tenants together.
package struct JournalTotals: Sendable, Equatable {
    /// Entries that are kept.
    package var entries = 0
    /// Their estimated bytes, with the table of attempts.
    package var bytes = 0
    /// Entries since the start.
    package var appended = 0
    /// Entries since the start that the bounds pushed out.
    package var dropped = 0
    /// Watches that are open.
    package var watches = 0

    package init() {}
}

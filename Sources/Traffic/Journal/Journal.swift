package import Core
package import Wire

/// What happened, per tenant. Bounded: the oldest entries go first, and their number is known.
///
/// A long poll reads ``JournalPage/position`` and asks again for entries after it; what wakes it up is the keeper's
/// business.
package protocol Journal: Sendable {
    /// Counts one call of an operation with a request id, and gives how many there have been, this one included.
    /// Faults match on it before the entry exists.
    func attempt(of operation: String, requestID: String, in tenant: TenantName) async -> Int

    /// Adds an entry at the end of its tenant's journal; counts the attempt when the entry has none.
    func append(_ entry: JournalEntry) async

    /// Entries that match, newest first, at most `filter.limit`.
    func entries(of tenant: TenantName, matching filter: JournalFilter) async -> JournalPage

    /// Every entry with a request id, newest first: retries share the id.
    func entries(of tenant: TenantName, requestID: String) async -> [JournalEntry]

    /// Empties a tenant's journal, its count of dropped entries and its attempts. Positions go on.
    func clear(_ tenant: TenantName) async

    /// Lets go of all that is kept for a tenant that no longer exists.
    func forget(_ tenant: TenantName) async
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
}

package import Core
import Synchronization
import Wire

/// The journal in memory: one ring for each tenant.
package final class JournalRing: Journal {
    package static let defaultCapacity = 2_000
    package static let defaultByteLimit = 16 * 1_024 * 1_024
    private static let attemptCapacity = 10_000

    /// One tenant's state behind its own lock, so that tenants do not wait for each other.
    private final class World: Sendable {
        struct State {
            var ring: EntryRing
            var attempts: AttemptTable
            var position = 0
        }

        let state: Mutex<State>

        init(_ ring: EntryRing, _ attempts: AttemptTable) {
            state = Mutex(State(ring: ring, attempts: attempts))
        }
    }

    private let capacity: Int
    private let byteLimit: Int
    private let worlds = Mutex<[TenantName: World]>([:])

    /// - Parameters:
    ///   - capacity: Entries kept for each tenant.
    ///   - byteLimit: Their estimated bytes.
    package init(capacity: Int = defaultCapacity, byteLimit: Int = defaultByteLimit) {
        self.capacity = capacity
        self.byteLimit = byteLimit
    }

    package func attempt(of operation: String, requestID: String, in tenant: TenantName) async -> Int {
        // The key is masked as it will be in the entry.
        let requestID = Masking.text(requestID)
        return world(tenant).state.withLock { $0.attempts.count(operation, requestID) }
    }

    package func append(_ entry: JournalEntry) async {
        let world = world(entry.tenant)
        var entry = entry
        if entry.attempt == nil {
            entry.attempt = world.state.withLock { $0.attempts.count(entry.operation, entry.requestID) }
        }
        let kept = EntryRing.Kept(entry)
        world.state.withLock { state in
            state.ring.append(kept)
            state.position += 1
        }
    }

    package func entries(of tenant: TenantName, matching filter: JournalFilter) async -> JournalPage {
        guard let (kept, dropped, position) = content(tenant) else {
            return JournalPage(items: [], dropped: 0, position: 0)
        }
        var items: [JournalEntry] = []
        for kept in kept where filter.matches(kept.entry) {
            if items.count == filter.limit { break }
            items.append(kept.entry)
        }
        return JournalPage(items: items, dropped: dropped, position: position)
    }

    package func entries(of tenant: TenantName, requestID: String) async -> [JournalEntry] {
        let kept = content(tenant)?.kept ?? []
        return kept.filter { $0.entry.requestID == requestID }.map(\.entry)
    }

    package func clear(_ tenant: TenantName) async {
        guard let world = worlds.withLock({ $0[tenant] }) else { return }
        let ring = EntryRing(capacity: capacity, byteLimit: byteLimit)
        let attempts = AttemptTable(capacity: JournalRing.attemptCapacity)
        world.state.withLock { state in
            state.ring = ring
            state.attempts = attempts
        }
    }

    package func forget(_ tenant: TenantName) async {
        _ = worlds.withLock { $0.removeValue(forKey: tenant) }
    }

    /// Taken under the lock, looked through outside of it.
    private func content(_ tenant: TenantName) -> (kept: [EntryRing.Kept], dropped: Int, position: Int)? {
        guard let world = worlds.withLock({ $0[tenant] }) else { return nil }
        return world.state.withLock { state in
            (kept: state.ring.newestFirst, dropped: state.ring.dropped, position: state.position)
        }
    }

    private func world(_ tenant: TenantName) -> World {
        worlds.withLock { worlds in
            if let world = worlds[tenant] { return world }
            let ring = EntryRing(capacity: capacity, byteLimit: byteLimit)
            let world = World(ring, AttemptTable(capacity: JournalRing.attemptCapacity))
            worlds[tenant] = world
            return world
        }
    }
}

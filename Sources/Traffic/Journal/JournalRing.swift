package import Core
import Masking
import Synchronization
import Wire

/// The journal in memory: one ring for each tenant.
package final class JournalRing: Journal {
    package static let defaultCapacity = 2_000
    package static let defaultByteLimit = 16 * 1_024 * 1_024
    /// Bytes of all tenants together.
    package static let defaultTotalByteLimit = 256 * 1_024 * 1_024
    /// Watches of one tenant (DESIGN, section 9).
    package static let watchLimit = 64

    private struct Ledger {
        var budget: JournalBudget<JournalWorld>
        var totals = JournalTotals()
        var lastID: UInt64 = 0
    }

    private let capacity: Int
    private let byteLimit: Int
    private let worlds = Mutex<[TenantName: JournalWorld]>([:])
    private let ledger: Mutex<Ledger>
    private let lastWatch = Atomic<UInt64>(0)

    /// - Parameters:
    ///   - capacity: Entries kept for each tenant.
    ///   - byteLimit: Their estimated bytes.
    ///   - totalByteLimit: Estimated bytes of all tenants. When they are more, the tenant with most gives up its oldest.
    package init(
        capacity: Int = defaultCapacity,
        byteLimit: Int = defaultByteLimit,
        totalByteLimit: Int = defaultTotalByteLimit
    ) {
        self.capacity = capacity
        self.byteLimit = byteLimit
        ledger = Mutex(Ledger(budget: JournalBudget(limit: totalByteLimit)))
    }

    package func attempt(of operation: String, requestID: String, in tenant: TenantName) async -> Int {
        // The key is masked as it will be in the entry.
        let requestID = Masking.text(requestID)
        let world = world(tenant)
        let (count, change) = world.attempt(of: operation, requestID: requestID)
        settle(world, change)
        return count
    }

    @discardableResult
    package func append(_ entry: JournalEntry) async -> JournalPlace {
        let world = world(entry.tenant)
        let (position, change) = world.append(entry)
        settle(world, change)
        return JournalPlace(world: world.id, position: position)
    }

    package func noteClientLeft(at place: JournalPlace, of tenant: TenantName) async {
        guard let world = known(tenant), world.id == place.world else { return }
        world.noteClientLeft(at: place.position)
    }

    package func entries(
        of tenant: TenantName,
        matching filter: JournalFilter,
        from position: Int
    ) async -> JournalPage {
        guard let content = known(tenant)?.content else { return JournalPage(items: [], dropped: 0, position: 0) }
        var items: [JournalEntry] = []
        for kept in content.kept.prefix(max(0, content.position - position)) where filter.matches(kept.entry) {
            if items.count == filter.limit { break }
            items.append(kept.entry)
        }
        return JournalPage(items: items, dropped: content.dropped, position: content.position)
    }

    package func entries(of tenant: TenantName, requestID: String) async -> [JournalEntry] {
        let kept = known(tenant)?.content.kept ?? []
        return kept.filter { $0.entry.requestID == requestID }.map(\.entry)
    }

    package func watch(_ tenant: TenantName, matching filter: JournalFilter, count: Int) async -> JournalWatch? {
        let id = lastWatch.add(1, ordering: .relaxed).newValue
        let watch = world(tenant).watch(id: id, matching: filter, count: count, limit: Self.watchLimit)
        if watch != nil { ledger.withLock { $0.totals.watches += 1 } }
        return watch
    }

    package func close(_ watch: JournalWatch, of tenant: TenantName) async {
        known(tenant)?.close(watch)
        ledger.withLock { $0.totals.watches -= 1 }
    }

    package func clear(_ tenant: TenantName) async {
        guard let world = known(tenant) else { return }
        settle(world, world.clear())
    }

    package func restart(_ tenant: TenantName) async {
        guard let world = known(tenant) else { return }
        settle(world, world.restart())
    }

    package func forget(_ tenant: TenantName) async {
        guard let world = worlds.withLock({ $0.removeValue(forKey: tenant) }) else { return }
        let change = world.end()
        ledger.withLock { ledger in
            ledger.budget.remove(world.id)
            ledger.totals.entries += change.entries
        }
    }

    package var totals: JournalTotals {
        get async {
            ledger.withLock { ledger in
                var totals = ledger.totals
                totals.bytes = ledger.budget.bytes
                return totals
            }
        }
    }

    /// Notes what a change did to the sums, and lets the largest give way until the limit of all holds.
    private func settle(_ world: JournalWorld, _ change: JournalWorld.Change) {
        var (world, change) = (world, change)
        while true {
            let debtor = ledger.withLock { [world, change] ledger -> JournalWorld? in
                ledger.budget.change(world.id, by: change.bytes)
                ledger.totals.entries += change.entries
                ledger.totals.appended += change.appended
                ledger.totals.dropped += change.dropped
                return ledger.budget.debtor
            }
            guard let debtor else { return }
            world = debtor
            change = debtor.giveUp()
            // Others have taken it all, and are about to say so.
            if change.bytes == 0 { return }
        }
    }

    private func known(_ tenant: TenantName) -> JournalWorld? { worlds.withLock { $0[tenant] } }

    private func world(_ tenant: TenantName) -> JournalWorld {
        worlds.withLock { worlds in
            if let world = worlds[tenant] { return world }
            let world = ledger.withLock { ledger in
                ledger.lastID += 1
                let world = JournalWorld(id: ledger.lastID, capacity: capacity, byteLimit: byteLimit)
                ledger.budget.add(world.id, world)
                return world
            }
            worlds[tenant] = world
            return world
        }
    }
}

import Synchronization

/// What this process knows of the worlds' records, within one budget for all: records by their ids, and the ids that look-ups
/// found.
///
/// A write gives what it changes the new version and leaves the rest as it is known, in its own world too; a reading that began
/// before takes what is newer for unknown. A version that another process gave, or that was lost at its commit, leads to a gap,
/// and a world with a gap is forgotten. Forgetting is always right.
final class RecordCache: Sendable {
    /// Of documents and what they are kept in, in a generation.
    fileprivate static let generationBytes = 4 << 20
    /// Removed worlds whose last version is kept for readings that began before.
    fileprivate static let removedLimit = 1_024

    fileprivate struct State {
        var worlds: [TenantName: KnownWorld] = [:]
        var removed: [TenantName] = []
        /// In all young generations.
        var bytes = 0
        /// The highest version of any world: none is given twice, also when a commit was lost.
        var highest: Int64 = 0
    }

    private let state = Mutex(State())

    /// The version that was committed last, as far as this process knows.
    func committed(_ tenant: TenantName) -> Int64? { state.withLock { $0.worlds[tenant]?.committed } }

    /// This process's number among those that wrote the world; nil when it has not.
    func epoch(_ tenant: TenantName) -> Int64? {
        state.withLock { state in
            guard let world = state.worlds[tenant], !world.isRemoved else { return nil }
            return world.epoch
        }
    }

    /// What is at a place of the world as it was at a version; nil when that is not known.
    func content(_ place: RecordPlace, of tenant: TenantName, at version: Int64) -> KnownWorld.Content? {
        let (content, _) = state.withLock { state -> (KnownWorld.Content?, [KnownWorld.Entries]) in
            guard let world = state.worlds[tenant] else { return (nil, []) }
            let (content, bytes) = world.content(place, at: version)
            return (content, bytes > 0 ? state.count(bytes) : [])
        }
        return content
    }

    /// Something was found in the store at a version.
    func keep(
        _ content: KnownWorld.Content,
        _ place: RecordPlace,
        of tenant: TenantName,
        at version: Int64,
        bytes: Int = 0
    ) {
        _ = state.withLock { state -> [KnownWorld.Entries] in
            let world = state.world(tenant, version)
            // Another process has gone on with the world.
            let gone = version > world.tip ? world.restart(at: version) : []
            guard version == world.tip else { return gone }
            return gone + state.count(world.keep(content, place, since: version, bytes: bytes))
        }
    }

    /// A version that no world of this process ever had.
    func nextVersion(after version: Int64?) -> Int64 {
        state.withLock { state in
            state.highest = max(state.highest, version ?? 0) + 1
            return state.highest
        }
    }

    /// A write has changed a world; it need not be committed yet.
    func register(_ change: WorldChange, of tenant: TenantName) {
        _ = state.withLock { state -> [KnownWorld.Entries] in
            let version = change.stamp.version
            let world = state.world(tenant, version)
            let gone = change.isReplaced || world.tip != change.from ? world.restart(at: version) : []
            world.tip = version
            var bytes = 0
            for record in change.records { bytes += world.apply(record, since: version) }
            // Another world of the name is another one's.
            if world.isRemoved { world.epoch = nil }
            world.isRemoved = change.isRemoved
            if change.isRemoved { state.noteRemoval(tenant) }
            return gone + state.count(bytes)
        }
    }

    /// A version is committed: a reading saw it, or a write was answered, whose process then has the epoch.
    func noteCommitted(_ version: Int64, epoch: Int64? = nil, of tenant: TenantName) {
        state.withLock { state in
            let world = state.world(tenant, version)
            world.committed = max(world.committed ?? version, version)
            if let epoch { world.epoch = max(world.epoch ?? epoch, epoch) }
        }
    }

    /// Nobody knows what became of a write.
    func forget(_ tenant: TenantName) {
        _ = state.withLock { state in
            state.worlds[tenant]?.committed = nil
            return state.worlds[tenant]?.restart(at: .min)
        }
    }
}

// What is no longer needed is given to the caller, who releases it after the lock.
extension RecordCache.State {
    fileprivate mutating func world(_ tenant: TenantName, _ version: Int64) -> KnownWorld {
        if let world = worlds[tenant] { return world }
        let world = KnownWorld(tip: version)
        worlds[tenant] = world
        return world
    }

    fileprivate mutating func count(_ added: Int) -> [KnownWorld.Entries] {
        bytes += added
        guard bytes > RecordCache.generationBytes else { return [] }
        bytes = 0
        return worlds.values.map { $0.age() }
    }

    fileprivate mutating func noteRemoval(_ tenant: TenantName) {
        removed.append(tenant)
        guard removed.count > RecordCache.removedLimit else { return }
        let first = removed.removeFirst()
        if worlds[first]?.isRemoved == true { worlds[first] = nil }
    }
}

package import Wire

/// Whole worlds: made, copied, kept, rewound, removed. Each is one transaction.
extension Worlds {
    /// Most snapshots of one tenant.
    package static let snapshotLimit = 16
    private static let snapshotPrefix = "snapshot-"
    /// Most bytes that a tenant's snapshots take together.
    package static let snapshotBytes = 64 << 20

    /// What ``fill(_:_:seed:settings:limit:_:)`` does about a tenant that exists, or does not.
    package enum Filling: Sendable {
        /// Only a tenant that does not exist is filled; one that does is left alone.
        case ifMissing
        /// The tenant must not exist.
        case new
        /// The tenant must exist and is emptied first; its seed stays when none is given. Also the way out for one that
        /// cannot be read, which gets a new seed.
        case again
    }

    /// Fills a tenant in one transaction.
    ///
    /// - Parameters:
    ///   - seed: nil for the seed it had, else a new one.
    ///   - limit: how many tenants the store may have.
    /// - Returns: the tenant as it is then, and whether this call filled it.
    /// - Throws: ``TenantExists``, ``UnknownTenant``, ``TooManyTenants``, ``StoreFault``, or what `body` throws.
    @discardableResult
    package func fill(
        _ name: TenantName,
        _ filling: Filling,
        seed: UInt64? = nil,
        settings: Tenant.Settings = Tenant.Settings(),
        limit: Int = .max,
        _ body: @escaping @Sendable (World) throws -> Void
    ) async throws -> (tenant: Tenant, isFilled: Bool) {
        let system = environment.systemNow()
        let (newSeed, kinds) = (environment.newSeed, environment.kinds)
        return try await store.write(name) { writer in
            let found = try FoundTenant(writer)
            switch (filling, found) {
            case (.ifMissing, .readable(let before)): return (before, false)
            case (.ifMissing, .damaged(let fault)): throw fault
            case (.new, .readable), (.new, .damaged): throw TenantExists(name: name)
            case (.again, .missing): throw UnknownTenant(name: name)
            case (_, .missing): if try writer.tenantCount() >= limit { throw TooManyTenants() }
            case (.again, .readable), (.again, .damaged): break
            }
            // One that cannot be read may have nothing that is worth keeping.
            let kept = found.tenant == nil ? nil : try writer.everything(of: name)?.resident(kinds)
            try writer.replaceEverything(with: kept ?? StoredWorld())
            var tenant = Tenant(seed: seed ?? found.tenant?.draws.seed ?? newSeed())
            tenant.settings = settings
            // The counter goes on, so that what memory has of the tenant is known to be older.
            tenant.sequence = try (found.tenant?.sequence ?? Worlds.lastSnapshotNumber(writer)) + 1
            try writer.put(tenant)
            if filling == .new { try writer.put(TenantOrigin()) }
            let now = tenant.clock.now(system: system)
            let world = World(store: writer, tenant: tenant, now: now, environment: environment)
            try body(world)
            try world.finish()
            return (world.tenant, true)
        }
    }

    /// Everything of a tenant's world.
    package func everything(of name: TenantName, atMost limit: Int = .max) async throws -> StoredWorld {
        let kinds = environment.kinds
        return try await read(name) { view in
            let size = try view.store.size(of: name)
            guard size <= limit else {
                throw WorldRefusal(.tooLarge, evidence: "\(size) bytes of documents")
            }
            return try view.store.everything(of: name)?.moving(kinds) ?? StoredWorld()
        }
    }

    /// Makes a tenant that is in everything like another one: records, numbers, clock, seed, draws, settings.
    ///
    /// - Throws: ``UnknownTenant``, ``TenantExists``, ``TooManyTenants`` or ``StoreFault``.
    package func copy(_ name: TenantName, to new: TenantName, limit: Int) async throws -> Tenant {
        let kinds = environment.kinds
        return try await store.write(new) { writer in
            if try writer.record(Tenant.self, Tenant.recordID) != nil { throw TenantExists(name: new) }
            guard let world = try writer.everything(of: name)?.moving(kinds) else { throw UnknownTenant(name: name) }
            if try writer.tenantCount() >= limit { throw TooManyTenants() }
            try writer.replaceEverything(with: world)
            guard let tenant = try writer.record(Tenant.self, Tenant.recordID) else { throw UnknownTenant(name: name) }
            try writer.put(TenantOrigin())
            return tenant
        }
    }

    /// Replaces a world by one that was checked before.
    package func replace(_ name: TenantName, with world: StoredWorld) async throws -> Tenant {
        try await replace(name) { _ in world }
    }

    /// Removes a tenant with its snapshots, unless `keeps` says otherwise; also one that cannot be read.
    ///
    /// - Parameter keeps: is given the tenant, its time, and whether somebody made it on purpose; one that cannot be read is then
    ///   not removed.
    /// - Returns: false when the tenant was kept.
    /// - Throws: ``UnknownTenant`` or ``StoreFault``.
    package func remove(
        _ name: TenantName,
        unless keeps: (@Sendable (Tenant, Instant, _ isMade: Bool) -> Bool)? = nil
    ) async throws -> Bool {
        let system = environment.systemNow()
        return try await store.write(name) { writer in
            switch try FoundTenant(writer) {
            case .missing: throw UnknownTenant(name: name)
            case .readable(let tenant):
                let isMade = try writer.record(TenantOrigin.self, TenantOrigin.recordID) != nil
                if let keeps, keeps(tenant, tenant.clock.now(system: system), isMade) { return false }
            case .damaged: if keeps != nil { return false }
            }
            for snapshot in try writer.snapshots() { _ = try writer.removeSnapshot(snapshot.id) }
            try writer.removeEverything()
            return true
        }
    }

    /// Keeps the world as it is now.
    ///
    /// - Throws: ``WorldRefusal`` beyond the bounds, ``UnknownTenant`` or ``StoreFault``.
    package func takeSnapshot(_ name: TenantName) async throws -> Snapshot {
        let kinds = environment.kinds
        return try await write(name) { world in
            let kept = try world.store.snapshots()
            guard kept.count < Worlds.snapshotLimit else { throw WorldRefusal(.snapshotLimit) }
            let content = try world.store.everything(of: name)?.moving(kinds) ?? StoredWorld()
            // The change counter never goes back, so the id is never given twice.
            let id = Worlds.snapshotPrefix + String(world.nextSequence())
            let made = try world.store.keepSnapshot(id, at: world.now, content)
            let bytes = kept.reduce(made.bytes) { $0 + $1.bytes }
            guard bytes <= Worlds.snapshotBytes else {
                throw WorldRefusal(.snapshotBytes, evidence: "\(bytes) bytes with this one")
            }
            return made
        }
    }

    /// The highest number among the ids of the tenant's snapshots: its change counter was there, at least.
    private static func lastSnapshotNumber(_ reader: RecordReader) throws -> Int64 {
        try reader.snapshots().compactMap { Int64($0.id.dropFirst(snapshotPrefix.count)) }.max() ?? 0
    }

    /// The tenant's snapshots, the oldest first.
    package func snapshots(of name: TenantName) async throws -> [Snapshot] {
        try await read(name) { view in try view.store.snapshots() }
    }

    /// Makes the world what it was at the snapshot.
    ///
    /// - Throws: ``WorldRefusal`` when there is none, ``UnknownTenant`` or ``StoreFault``.
    package func restore(_ name: TenantName, _ id: String) async throws -> Tenant {
        try await replace(name) { writer in
            guard let world = try writer.snapshot(id) else { throw WorldRefusal(.snapshotUnknown) }
            return world
        }
    }

    /// - Throws: ``WorldRefusal`` when there is none, ``UnknownTenant`` or ``StoreFault``.
    package func removeSnapshot(_ name: TenantName, _ id: String) async throws {
        try await write(name) { world in
            guard try world.store.removeSnapshot(id) else { throw WorldRefusal(.snapshotUnknown) }
        }
    }

    private func replace(
        _ name: TenantName,
        _ content: @escaping @Sendable (RecordWriter) throws -> StoredWorld
    ) async throws -> Tenant {
        let kinds = environment.kinds
        return try await store.write(name) { writer in
            guard let before = try writer.record(Tenant.self, Tenant.recordID) else { throw UnknownTenant(name: name) }
            let kept = try writer.everything(of: name) ?? StoredWorld()
            try writer.replaceEverything(with: kept.resident(kinds, and: content(writer)))
            guard var tenant = try writer.record(Tenant.self, Tenant.recordID) else { throw UnknownTenant(name: name) }
            // As when it is filled: later than whatever memory has.
            tenant.sequence = max(tenant.sequence, before.sequence) + 1
            try writer.put(tenant)
            return tenant
        }
    }
}

/// A tenant that exists was to be made.
package struct TenantExists: Error, Sendable, Equatable {
    /// The tenant that exists already.
    package let name: TenantName

    /// Made of its members.
    package init(name: TenantName) { self.name = name }
}

/// A tenant more than the server keeps was asked for.
package struct TooManyTenants: Error, Sendable, Equatable {
    /// As it is before anything happened.
    package init() {}
}

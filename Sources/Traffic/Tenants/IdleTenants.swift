package import Core
package import Wire

/// Drops tenants that nobody uses (DESIGN, section 9): no request, no waiting request and no planned event for a while.
package struct IdleTenants: Sendable {
    private let tenants: TenantDirectory
    private let journal: any Journal
    private let pauses: Pauses
    /// Nil when tenants are kept for ever.
    private let milliseconds: Int64?
    private let keepsMade: Bool

    /// - Parameters:
    ///   - seconds: of real time; 0 keeps tenants for ever.
    ///   - keepsMade: whether one that somebody made on purpose stays, however long nobody uses it.
    package init(
        tenants: TenantDirectory,
        journal: any Journal,
        pauses: Pauses,
        seconds: Int64,
        keepsMade: Bool = false
    ) {
        self.keepsMade = keepsMade
        self.tenants = tenants
        self.journal = journal
        self.pauses = pauses
        milliseconds = seconds > 0 ? seconds * 1_000 : nil
    }

    /// Drops what is idle at a time of the system's clock, and gives the names. `default` is never dropped.
    ///
    /// - Throws: ``StoreFault``.
    package func sweep(at now: Instant) async throws -> [TenantName] {
        guard let milliseconds else { return [] }
        let limit = now.adding(milliseconds: -milliseconds)
        var dropped: [TenantName] = []
        for name in try await tenants.unused(since: limit) where pauses.count(of: name) == 0 {
            do {
                let isDropped = try await tenants.change(name, keepsContext: true, ifUnusedSince: limit) {
                    try await drop(name, milliseconds)
                }
                if isDropped == true { dropped.append(name) }
            } catch is UnknownTenant {
                // Somebody else removed it.
            }
        }
        return dropped
    }

    private func drop(_ name: TenantName, _ milliseconds: Int64) async throws -> (TenantDirectory.Outcome, Bool) {
        guard pauses.count(of: name) == 0 else { return (.unchanged, false) }
        let isRemoved = try await tenants.worlds.remove(name) { [keepsMade] tenant, now, isMade in
            (keepsMade && isMade) || tenant.expectsEvent(around: now, milliseconds)
        }
        guard isRemoved else { return (.unchanged, false) }
        await journal.forget(name)
        return (.removed, true)
    }
}

extension Tenant {
    /// Whether a planned event was due within this time before `now`, or comes within it after. A clock that stands
    /// still brings none.
    fileprivate func expectsEvent(around now: Instant, _ milliseconds: Int64) -> Bool {
        guard case .system = clock.mode, let nextDueAt else { return false }
        return nextDueAt > now.adding(milliseconds: -milliseconds)
            && nextDueAt <= now.adding(milliseconds: milliseconds)
    }
}

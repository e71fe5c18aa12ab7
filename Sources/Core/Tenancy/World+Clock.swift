package import Wire

/// The tenant's clock together with the time it shows.
package struct ClockReading: Sendable, Equatable {
    /// The clock as it was read.
    package let clock: TenantClock
    /// The tenant's time.
    package let now: Instant
}

extension Worlds {
    /// The clock as it is now; what is due has happened.
    package func clock(of name: TenantName) async throws -> ClockReading {
        try await read(name) { ClockReading(clock: $0.tenant.clock, now: $0.now) }
    }

    /// Sets the clock, then lets everything happen that is due at its new time, each at its own time and in order.
    ///
    /// - Parameters:
    ///   - change: gives the new clock for the present one, the present tenant time and the system's; nil leaves it.
    /// - Returns: the tenant after the change, for whoever keeps its clock in memory, and what the clock shows then; nil
    ///   when it was left.
    package func setClock(
        of name: TenantName,
        _ change: @escaping @Sendable (TenantClock, _ now: Instant, _ system: Instant) -> TenantClock?
    ) async throws -> (tenant: Tenant, reading: ClockReading)? {
        let system = environment.systemNow()
        let changed = try await write(name) { world -> Tenant? in
            guard let clock = change(world.tenant.clock, world.now, system) else { return nil }
            world.tenant.clock = clock
            _ = world.nextSequence()
            return world.tenant
        }
        guard let changed else { return nil }
        // A transaction has one time; the next one sees the new clock and catches up with it. Whoever comes in between
        // lets the same events happen.
        return (changed, try await clock(of: name))
    }
}

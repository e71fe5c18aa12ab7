package import Core
import Synchronization
package import Wire

/// What the server keeps in memory of a tenant: its settings, a counter for request ids, and when it was last used.
package final class TenantContext: Sendable {
    package let name: TenantName
    /// The tenant's fault rules.
    package let faults: FaultBook
    private let epoch: Int64
    private let state: Mutex<State>
    /// System time in milliseconds; an atomic, because every request sets it.
    private let lastUseMilliseconds: Atomic<Int64>
    private let requests = Atomic<Int>(0)

    private struct State {
        var settings: Tenant.Settings
        var clock: TenantClock
        /// The tenant's change counter when settings and clock were taken over.
        var sequence: Int64
        /// Draws of its own, so that giving out an id writes nothing.
        var requestDraws: Draws
    }

    /// - Parameters:
    ///   - epoch: see ``Worlds/epoch(of:)``.
    ///   - now: the system's time; the tenant counts as used then.
    package init(name: TenantName, tenant: Tenant, epoch: Int64 = 0, faults: [FaultRule] = [], now: Instant) {
        self.name = name
        self.epoch = epoch
        self.faults = FaultBook(faults, seed: tenant.draws.seed)
        let draws = TenantContext.requestDraws(tenant, epoch)
        state = Mutex(
            State(settings: tenant.settings, clock: tenant.clock, sequence: tenant.sequence, requestDraws: draws)
        )
        lastUseMilliseconds = Atomic(now.milliseconds)
    }

    /// The tenant's settings, and its time when the system's clock says `system`; both of one moment.
    package func reading(system: Instant) -> (settings: Tenant.Settings, now: Instant) {
        let (settings, clock) = state.withLock { ($0.settings, $0.clock) }
        return (settings, clock.now(system: system))
    }

    /// Takes over what a committed change made of the tenant; of two changes the later one, in whatever order they come.
    package func update(_ tenant: Tenant) {
        state.withLock { state in
            guard tenant.sequence > state.sequence else { return }
            state.sequence = tenant.sequence
            state.settings = tenant.settings
            state.clock = tenant.clock
            // Another seed begins its draws anew, those of request ids as well.
            if tenant.draws.seed != ~state.requestDraws.seed {
                state.requestDraws = TenantContext.requestDraws(tenant, epoch)
            }
            faults.reseed(tenant.draws.seed)
        }
    }

    /// With the seed's bits turned, because request ids must not repeat what the tenant's own draws gave out.
    private static func requestDraws(_ tenant: Tenant, _ epoch: Int64) -> Draws {
        Draws(seed: ~tenant.draws.seed, epoch: epoch)
    }

    /// A new `x-request-id`.
    package func newRequestID() -> String {
        // Only the turn is taken under the lock, which all requests of the tenant share: hashing takes longer than the
        // rest of it, and who has to wait for a lock waits in the kernel.
        var draws = state.withLock { state in
            defer { state.requestDraws.skip() }
            return state.requestDraws
        }
        return RequestID.make(&draws)
    }

    /// A request of a face begins; it must end with ``leave()``. Only the directory calls it, under its lock.
    func enter() { requests.add(1, ordering: .sequentiallyConsistent) }

    /// A request that was counted has ended.
    package func leave() { requests.subtract(1, ordering: .sequentiallyConsistent) }

    /// Whether requests of faces are under way.
    package var hasRequests: Bool { requests.load(ordering: .sequentiallyConsistent) > 0 }

    /// A request begins or ends at this time of the system's clock.
    package func use(at now: Instant) { lastUseMilliseconds.store(now.milliseconds, ordering: .relaxed) }

    /// When a request began or ended last.
    package var lastUse: Instant { Instant(milliseconds: lastUseMilliseconds.load(ordering: .relaxed)) }
}

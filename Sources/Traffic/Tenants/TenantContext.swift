package import Core
import Synchronization
package import Wire

/// What the server keeps in memory of a tenant: its settings and a counter for request ids.
package final class TenantContext: Sendable {
    package let name: TenantName
    /// The tenant's fault rules.
    package let faults: FaultBook
    private let state: Mutex<State>

    private struct State {
        var settings: Tenant.Settings
        var clock: TenantClock
        /// The tenant's change counter when settings and clock were taken over.
        var sequence: Int64
        /// Draws of its own, so that giving out an id writes nothing.
        var requestDraws: Draws
    }

    package init(name: TenantName, tenant: Tenant, faults: [FaultRule] = []) {
        self.name = name
        self.faults = FaultBook(faults, seed: tenant.draws.seed)
        // The seed with its bits turned: request ids must not repeat what the tenant's own draws gave out.
        let draws = Draws(seed: ~tenant.draws.seed)
        state = Mutex(
            State(settings: tenant.settings, clock: tenant.clock, sequence: tenant.sequence, requestDraws: draws)
        )
    }

    package var settings: Tenant.Settings { state.withLock { $0.settings } }

    /// The tenant's time when the system's clock says `system`.
    package func now(system: Instant) -> Instant { state.withLock { $0.clock.now(system: system) } }

    /// Takes over what a committed change made of the tenant; of two changes the later one, in whatever order they come.
    package func update(_ tenant: Tenant) {
        state.withLock { state in
            guard tenant.sequence > state.sequence else { return }
            state.sequence = tenant.sequence
            state.settings = tenant.settings
            state.clock = tenant.clock
        }
    }

    /// A new `x-request-id`.
    package func newRequestID() -> String { state.withLock { RequestID.make(&$0.requestDraws) } }
}

package import Core
import Synchronization
import Wire

/// The tenants in use, in memory. Finds a world by name, makes it when the server may, and lets one change at a time
/// happen to a world as a whole: what asks for the tenant meanwhile waits.
package final class TenantDirectory: Sendable {
    /// Makes a tenant that does not exist yet; gives it, and whether it was this call that made it.
    package typealias Create = @Sendable (TenantName) async throws -> (tenant: Tenant, isFilled: Bool)

    /// Worlds that one server keeps (DESIGN, section 9).
    package static let defaultLimit = 2_000

    /// How many tenants there may be.
    package let limit: Int
    let worlds: Worlds
    private let create: Create?
    let state: Mutex<State>

    /// Gives whether the tenant was made.
    typealias Bringing = Task<Bool, any Error>

    struct State {
        var entries: [TenantName: Entry] = [:]
        /// Numbers the tasks that read or make a tenant, so that one whose tenant has changed is known.
        var lastBringing: UInt64 = 0
        /// When a tenant without an entry counts as used last.
        let begin: Instant
    }

    enum Entry {
        case known(TenantContext)
        /// Being read or made. Others wait for it: to fill a tenant twice would take away what the first request did.
        case coming(UInt64, Bringing, creates: Bool)
        /// The world as a whole is being changed; nil when the context does not outlive it.
        case changing(Task<Void, Never>, TenantContext?)
    }

    /// - Parameter create: nil when tenants must be made explicitly; `default` exists in any case.
    package init(worlds: Worlds, limit: Int = defaultLimit, create: Create?) {
        self.worlds = worlds
        self.limit = limit
        self.create = create
        state = Mutex(State(begin: worlds.environment.systemNow()))
    }

    /// The tenant of that name, made first when needed and allowed.
    ///
    /// - Parameters:
    ///   - creates: false when it must exist.
    ///   - enters: true for a request that the tenant's changes wait for; it ends with ``TenantContext/leave()``.
    /// - Throws: ``UnknownTenant`` when there is none and none may be made, ``TooManyTenants``, or ``StoreFault``.
    package func context(
        for name: TenantName,
        creates: Bool = true,
        enters: Bool = false
    ) async throws -> (context: TenantContext, created: Bool) {
        let now = worlds.environment.systemNow()
        var created = false
        while true {
            let step = state.withLock { state in
                let next = nextStep(&state, name, creates: creates, now)
                if enters, case .found(let context) = next { context.enter() }
                return next
            }
            // What was waited for is looked at again: only under the lock is it sure to be there still.
            switch step {
            case .found(let context): return (context, created)
            case .wait(let change): await change.value
            case .join(let bringing): _ = await bringing.result
            case .own(let bringing): created = try await bringing.value || created
            }
        }
    }

    private enum Step {
        case found(TenantContext)
        case wait(Task<Void, Never>)
        case join(Bringing)
        case own(Bringing)
    }

    private func nextStep(_ state: inout State, _ name: TenantName, creates: Bool, _ now: Instant) -> Step {
        switch state.entries[name] {
        case .known(let context):
            // Under the lock, so that the tenant is not found idle between here and the request.
            context.use(at: now)
            return .found(context)
        case .coming(_, let bringing, let mayCreate):
            return mayCreate || !creates ? .join(bringing) : .wait(Task { _ = await bringing.result })
        case .changing(let change, _): return .wait(change)
        case nil:
            state.lastBringing += 1
            let number = state.lastBringing
            // The task is shared, so that it must not end with the request that began it.
            let bringing = Bringing { try await self.bring(name, number, creates: creates) }
            state.entries[name] = .coming(number, bringing, creates: creates)
            return .own(bringing)
        }
    }

    /// Reads or makes the tenant, and puts it where the others find it.
    private func bring(_ name: TenantName, _ number: UInt64, creates: Bool) async throws -> Bool {
        do {
            let (tenant, faults, isFilled) = try await tenant(name, creates: creates)
            let context = TenantContext(
                name: name,
                tenant: tenant,
                epoch: try await worlds.epoch(of: name),
                faults: faults,
                now: worlds.environment.systemNow()
            )
            state.withLock { state in
                // Else it was changed meanwhile, and this is not sure to be the tenant as it is.
                if case .coming(number, _, _) = state.entries[name] { state.entries[name] = .known(context) }
            }
            return isFilled
        } catch {
            state.withLock { state in
                if case .coming(number, _, _) = state.entries[name] { state.entries[name] = nil }
            }
            throw error
        }
    }

    private func tenant(_ name: TenantName, creates: Bool) async throws -> (Tenant, [FaultRule], isFilled: Bool) {
        do {
            let (tenant, faults) = try await content(name)
            return (tenant, faults, false)
        } catch is UnknownTenant {
            guard creates, let create else { throw UnknownTenant(name: name) }
            let (tenant, isFilled) = try await create(name)
            // The fixtures hold no fault rules; whoever else was quicker may have put some.
            return (tenant, isFilled ? [] : try await content(name).1, isFilled)
        }
    }

    /// What a context begins with.
    func content(_ name: TenantName) async throws -> (Tenant, [FaultRule]) {
        try await worlds.read(name) { view in (view.tenant, try view.store.records(FaultRule.self)) }
    }

    /// A context that is already in memory, without touching the store.
    package func known(_ name: TenantName) -> TenantContext? {
        state.withLock { state in
            switch state.entries[name] {
            case .known(let context): context
            case .changing(_, let context): context
            case .coming, nil: nil
            }
        }
    }

    /// Takes over what a committed change of settings or clock made of a tenant.
    package func takeOver(_ tenant: Tenant, of name: TenantName) {
        state.withLock { state in
            switch state.entries[name] {
            case .known(let context): context.update(tenant)
            case .changing(_, let context): context?.update(tenant)
            // What is being read may be older: it is read again.
            case .coming: state.entries[name] = nil
            case nil: break
            }
        }
    }
}

package import Core
import Synchronization
package import Wire

extension TenantDirectory {
    /// What a change of a world as a whole made of it.
    package enum Outcome: Sendable {
        case removed
        /// Another world under the same name, or a new one.
        case anew(Tenant)
        /// The same world with other content.
        case changed(Tenant)
        case unchanged
    }

    /// How long a change waits for requests under way, in milliseconds: longer than any takes that does not hang.
    static let patience = 30_000

    /// Lets `body` change a world as a whole. Changes of one world come one after the other. Requests that name it wait
    /// for the end, and the change waits for the faces' requests that have begun: none sees a half, none carries
    /// anything from the world before into the one after.
    ///
    /// - Parameters:
    ///   - keepsContext: false when what memory has of the tenant belongs to a world that is going.
    ///   - ending: what waits in the world; it ends first. Nil when requests under way do not matter.
    ///   - ifUnusedSince: does nothing and gives nil when the tenant was used later than that.
    ///   - body: runs to its end also when the caller is gone.
    @discardableResult
    package func change<Value: Sendable>(
        _ name: TenantName,
        keepsContext: Bool,
        ending pauses: Pauses? = nil,
        ifUnusedSince limit: Instant? = nil,
        _ body: @escaping @Sendable () async throws -> (Outcome, Value)
    ) async throws -> Value? {
        while true {
            switch begin(name, keepsContext, pauses, limit, body) {
            case .wait(let other): await other.value
            case .run(let change): return try await change.value
            case .used: return nil
            }
        }
    }

    private enum Beginning<Value: Sendable> {
        case wait(Task<Void, Never>)
        case run(Task<Value, any Error>)
        case used
    }

    private func begin<Value: Sendable>(
        _ name: TenantName,
        _ keepsContext: Bool,
        _ pauses: Pauses?,
        _ limit: Instant?,
        _ body: @escaping @Sendable () async throws -> (Outcome, Value)
    ) -> Beginning<Value> {
        state.withLock { state in
            let context: TenantContext?
            switch state.entries[name] {
            case .known(let known): context = known
            case .coming(_, let bringing, _): return .wait(Task { _ = await bringing.result })
            case .changing(let other, _): return .wait(other)
            case nil: context = nil
            }
            if let limit, (context?.lastUse ?? state.begin) > limit || context?.hasRequests == true { return .used }
            let change = Task<Value, any Error> {
                do {
                    if let pauses { await self.settle(name, context, pauses) }
                    let (outcome, value) = try await body()
                    await self.end(name, context, outcome)
                    return value
                } catch {
                    await self.end(name, context, .unchanged)
                    throw error
                }
            }
            state.entries[name] = .changing(Task { _ = await change.result }, keepsContext ? context : nil)
            return .run(change)
        }
    }

    /// Ends what waits, and lets the requests that have begun come to their end.
    private func settle(_ name: TenantName, _ context: TenantContext?, _ pauses: Pauses) async {
        let clock = ContinuousClock()
        let deadline = clock.now + .milliseconds(TenantDirectory.patience)
        pauses.end(name)
        while context?.hasRequests == true, clock.now < deadline {
            // Short looks: requests last a millisecond or two, and one that has begun may still begin to wait.
            try? await Task.sleep(for: .milliseconds(1))
            pauses.end(name)
        }
    }

    private func end(_ name: TenantName, _ context: TenantContext?, _ outcome: Outcome) async {
        var after: TenantContext?
        switch outcome {
        case .removed: break
        case .anew(let tenant): after = await fresh(name, tenant)
        case .changed(let tenant):
            if let context {
                context.update(tenant)
                context.faults.replace(await faults(of: name), seed: tenant.draws.seed)
                after = context
            } else {
                after = await fresh(name, tenant)
            }
        case .unchanged: after = context
        }
        state.withLock { state in state.entries[name] = after.map(Entry.known) }
    }

    private func fresh(_ name: TenantName, _ tenant: Tenant) async -> TenantContext {
        let faults = await faults(of: name)
        // The change has written the world, so that nothing is left to fail here.
        let epoch = (try? await worlds.epoch(of: name)) ?? 0
        let now = worlds.environment.systemNow()
        return TenantContext(name: name, tenant: tenant, epoch: epoch, faults: faults, now: now)
    }

    /// The rules of the world that came; a store that cannot be read now has none to give.
    private func faults(of name: TenantName) async -> [FaultRule] {
        (try? await content(name).1) ?? []
    }

    /// Tenants that no request has named since a time of the system's clock; never `default`. After the start every
    /// tenant of the store counts as used.
    func unused(since limit: Instant) async throws -> [TenantName] {
        let names = try await worlds.store.tenants()
        return state.withLock { state in
            names.filter { name in
                guard name != .default else { return false }
                return switch state.entries[name] {
                case .known(let context): context.lastUse <= limit
                case .coming, .changing: false
                case nil: state.begin <= limit
                }
            }
        }
    }
}

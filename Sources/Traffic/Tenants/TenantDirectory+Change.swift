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

    /// Lets `body` change a world as a whole. Changes of one world come one after the other, and requests that name it
    /// wait for the end; those that have begun see the world before or after, never between.
    ///
    /// - Parameters:
    ///   - keepsContext: false when requests that have begun belong to a world that is going.
    ///   - ifUnusedSince: does nothing and gives nil when the tenant was used later than that.
    ///   - body: runs to its end also when the caller is gone.
    @discardableResult
    package func change<Value: Sendable>(
        _ name: TenantName,
        keepsContext: Bool,
        ifUnusedSince limit: Instant? = nil,
        _ body: @escaping @Sendable () async throws -> (Outcome, Value)
    ) async throws -> Value? {
        while true {
            switch begin(name, keepsContext, limit, body) {
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
            if let limit, (context?.lastUse ?? state.begin) > limit { return .used }
            let change = Task<Value, any Error> {
                do {
                    let (outcome, value) = try await body()
                    self.end(name, context, outcome)
                    return value
                } catch {
                    self.end(name, context, .unchanged)
                    throw error
                }
            }
            state.entries[name] = .changing(Task { _ = await change.result }, keepsContext ? context : nil)
            return .run(change)
        }
    }

    private func end(_ name: TenantName, _ context: TenantContext?, _ outcome: Outcome) {
        let now = vault.environment.systemNow()
        let after: TenantContext?
        switch outcome {
        case .removed: after = nil
        case .anew(let tenant): after = TenantContext(name: name, tenant: tenant, now: now)
        case .changed(let tenant):
            context?.update(tenant)
            after = context ?? TenantContext(name: name, tenant: tenant, now: now)
        case .unchanged: after = context
        }
        state.withLock { state in state.entries[name] = after.map(Entry.known) }
    }

    /// Tenants that no request has named since a time of the system's clock; never `default`. After the start every
    /// tenant of the store counts as used.
    func unused(since limit: Instant) async throws -> [TenantName] {
        let names = try await vault.store.tenants()
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

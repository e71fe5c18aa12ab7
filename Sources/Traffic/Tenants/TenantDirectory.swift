package import Core
import Synchronization

/// The tenants in use, in memory. Finds a world by name and makes it when the server may.
package final class TenantDirectory: Sendable {
    /// Makes a tenant that does not exist yet.
    package typealias Create = @Sendable (TenantName) async throws -> Void

    /// Worlds that one server keeps (DESIGN, section 9).
    package static let limit = 2_000

    private let vault: Vault
    private let create: Create?
    private let entries = Mutex<[TenantName: Entry]>([:])

    private typealias Bringing = Task<(context: TenantContext, created: Bool), any Error>

    private enum Entry {
        case known(TenantContext)
        /// Being read or made. Others wait for it: to fill a tenant twice would take away what the first request did.
        case coming(Bringing)
    }

    /// - Parameter create: nil when tenants must be made explicitly; `default` exists in any case.
    package init(vault: Vault, create: Create?) {
        self.vault = vault
        self.create = create
    }

    /// The tenant of that name, made first when needed and allowed.
    ///
    /// - Throws: ``UnknownTenant`` when there is none and none may be made, or ``StoreFault``.
    package func context(for name: TenantName) async throws -> (context: TenantContext, created: Bool) {
        if let known = known(name) { return (known, false) }
        // The task is shared, so that it must not end with the request that began it.
        let (task, isOwn) = entries.withLock { entries -> (Bringing?, isOwn: Bool) in
            switch entries[name] {
            case .known: return (nil, false)
            case .coming(let task): return (task, false)
            case nil:
                let task = Bringing { try await self.bring(name) }
                entries[name] = .coming(task)
                return (task, true)
            }
        }
        guard let task else { return try await context(for: name) }
        let brought = try await task.value
        return (brought.context, brought.created && isOwn)
    }

    /// Reads or makes the tenant, and puts it where the others find it.
    private func bring(_ name: TenantName) async throws -> (context: TenantContext, created: Bool) {
        do {
            let (tenant, faults, created) = try await tenant(name)
            let context = TenantContext(name: name, tenant: tenant, faults: faults)
            entries.withLock { $0[name] = .known(context) }
            return (context, created)
        } catch {
            entries.withLock { $0[name] = nil }
            throw error
        }
    }

    private func tenant(_ name: TenantName) async throws -> (Tenant, [FaultRule], created: Bool) {
        do {
            let (tenant, faults) = try await content(name)
            return (tenant, faults, false)
        } catch is UnknownTenant {
            guard let create else { throw UnknownTenant(name: name) }
            guard try await vault.store.tenants().count < Self.limit else { throw TooManyTenants() }
            try await create(name)
            let (tenant, faults) = try await content(name)
            return (tenant, faults, true)
        }
    }

    private func content(_ name: TenantName) async throws -> (Tenant, [FaultRule]) {
        try await vault.read(name) { view in (view.tenant, try view.store.records(FaultRule.self)) }
    }

    /// The tenant of that name if it exists; none is made.
    ///
    /// - Throws: ``StoreFault``.
    package func existing(_ name: TenantName) async throws -> TenantContext? {
        if let known = known(name) { return known }
        let (tenant, faults): (Tenant, [FaultRule])
        do {
            (tenant, faults) = try await content(name)
        } catch is UnknownTenant {
            return nil
        }
        let context = TenantContext(name: name, tenant: tenant, faults: faults)
        return entries.withLock { entries in
            switch entries[name] {
            case .known(let known): return known
            case .coming: return context
            case nil:
                entries[name] = .known(context)
                return context
            }
        }
    }

    /// A context that is already in memory, without touching the store.
    package func known(_ name: TenantName) -> TenantContext? {
        entries.withLock { entries in if case .known(let context) = entries[name] { context } else { nil } }
    }

    /// Drops what memory has of a tenant that was reset or removed.
    package func forget(_ name: TenantName) { entries.withLock { $0[name] = nil } }
}

/// A tenant more than the server keeps was asked for.
package struct TooManyTenants: Error, Sendable, Equatable {
    package init() {}
}

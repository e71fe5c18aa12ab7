package import Core
import Synchronization

/// The tenants in use, in memory. Finds a world by name and makes it when the server may.
package final class TenantDirectory: Sendable {
    /// Makes a tenant that does not exist yet.
    package typealias Create = @Sendable (TenantName) async throws -> Void

    private let vault: Vault
    private let create: Create?
    private let contexts = Mutex<[TenantName: TenantContext]>([:])

    /// - Parameter create: nil when tenants must be made explicitly; `default` exists in any case.
    package init(vault: Vault, create: Create?) {
        self.vault = vault
        self.create = create
    }

    /// The tenant of that name, made first when needed and allowed.
    ///
    /// - Throws: ``UnknownTenant`` when there is none and none may be made, or ``StoreFault``.
    package func context(for name: TenantName) async throws -> (context: TenantContext, created: Bool) {
        if let known = contexts.withLock({ $0[name] }) { return (known, false) }
        do {
            return (try await load(name), false)
        } catch is UnknownTenant {
            guard let create else { throw UnknownTenant(name: name) }
            try await create(name)
            return (try await load(name), true)
        }
    }

    /// A context that is already in memory, without touching the store.
    package func known(_ name: TenantName) -> TenantContext? { contexts.withLock { $0[name] } }

    /// Drops what memory has of a tenant that was reset or removed.
    package func forget(_ name: TenantName) { contexts.withLock { $0[name] = nil } }

    private func load(_ name: TenantName) async throws -> TenantContext {
        let tenant = try await vault.read(name) { $0.tenant }
        let fresh = TenantContext(name: name, tenant: tenant)
        return contexts.withLock { contexts in
            // Two first requests may load at once; both must see one context.
            if let known = contexts[name] { return known }
            contexts[name] = fresh
            return fresh
        }
    }
}

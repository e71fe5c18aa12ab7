import Core
import Web

/// Finds the tenant of a request that names none by a credential that only this tenant holds (DESIGN, section 7).
///
/// Credentials are those that were made inside a tenant: the bearers that D1 gave out.
struct CredentialSelection: Sendable {
    enum Selected: Sendable, Equatable {
        /// The request has no credential, or nobody holds it.
        case none
        case one(TenantName)
        /// So many tenants hold it: after a fork, or where two of them have one seed.
        case ambiguous(Int)
    }

    let store: any Store

    /// - Throws: ``StoreFault``.
    func select(_ request: HTTPRequest) async throws -> Selected {
        guard let bearer = request.bearer else { return .none }
        let holders = try await store.tenants(holdingCredential: D1Secret.recordID(bearer))
        return switch holders.count {
        case 0: .none
        case 1: .one(holders[0])
        default: .ambiguous(holders.count)
        }
    }
}

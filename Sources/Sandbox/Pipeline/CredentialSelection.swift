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
        guard let bearer = CredentialSelection.bearer(request) else { return .none }
        let holders = try await store.tenants(holdingCredential: D1Secret.recordID(bearer))
        return switch holders.count {
        case 0: .none
        case 1: .one(holders[0])
        default: .ambiguous(holders.count)
        }
    }

    /// The scheme's case does not matter (RFC 9110, section 11.1).
    private static func bearer(_ request: HTTPRequest) -> String? {
        guard let header = request.headers[.authorization] else { return nil }
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1])
    }
}

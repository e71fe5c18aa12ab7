import Core
import Web

/// Finds the tenant of a request that names none by a credential that only this tenant holds (DESIGN, section 7).
///
/// Credentials are those that were made inside a tenant: the bearers that D1 gave out, and the client certificates that its
/// issuers registered. A bearer that somebody holds comes first, because a certificate is often a whole hub's.
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
        if let bearer = request.bearer {
            let selected = try await holder(of: D1Secret.recordID(bearer))
            guard selected == .none else { return selected }
        }
        // One that does not verify stands for nobody.
        guard let peer = request.tls, peer.isVerified else { return .none }
        return try await holder(of: CertificateFingerprint.credential(peer.fingerprint))
    }

    private func holder(of digest: String) async throws -> Selected {
        let holders = try await store.tenants(holdingCredential: digest)
        return switch holders.count {
        case 0: .none
        case 1: .one(holders[0])
        default: .ambiguous(holders.count)
        }
    }
}

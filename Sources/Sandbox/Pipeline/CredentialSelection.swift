import Core
import Networks
import Web

/// Finds the tenant of a request that names none by a credential that only this tenant holds (DESIGN, section 7).
///
/// Credentials are those that were made inside a tenant: those that a face knows, and the client certificates that issuers
/// registered. A face's comes first, because a certificate is often a whole hub's. Every face is asked: a client that plays
/// several parts has one bearer for all it sends.
struct CredentialSelection: Sendable {
    enum Selected: Sendable, Equatable {
        /// The request has no credential, or nobody holds it.
        case none
        case one(TenantName)
        /// So many tenants hold it: after a fork, or where two of them have one seed.
        case ambiguous(Int)
    }

    let store: RecordStore
    let faces: [any Face]

    /// - Throws: ``StoreFault``.
    func select(_ request: HTTPRequest) async throws -> Selected {
        var asked: [String] = []
        for face in faces {
            for credential in face.credentials(in: request) where !asked.contains(credential) {
                asked.append(credential)
                let selected = try await holder(of: credential)
                guard selected == .none else { return selected }
            }
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

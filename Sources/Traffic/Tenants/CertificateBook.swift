package import Core
import Synchronization

/// What a tenant's issuers say of client certificates, kept in memory until one of them changes, so that a request without
/// a certificate costs nothing.
package final class CertificateBook: Sendable {
    package struct Entries: Sendable, Equatable {
        /// The issuers that registered a fingerprint.
        package let holders: [String: [String]]
        /// The issuers that take no request without a certificate of theirs.
        package let demanding: Set<String>

        package init(_ issuers: [Issuer]) {
            var holders: [String: [String]] = [:]
            for issuer in issuers {
                for fingerprint in issuer.clientCertificates {
                    holders[fingerprint, default: []].append(issuer.issuerID)
                }
            }
            self.holders = holders
            demanding = Set(issuers.filter { $0.policies.clientCertificate == .required }.map(\.issuerID))
        }

        /// Whether the issuer registered any certificate.
        package func hasCertificates(_ issuerID: String) -> Bool {
            holders.values.contains { $0.contains(issuerID) }
        }
    }

    private struct State {
        var entries: Entries?
        /// Counts what was forgotten, so that what was read before is not kept after.
        var version = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// What is known, or what `read` gives, which is kept.
    package func entries(_ read: () async throws -> [Issuer]) async throws -> Entries {
        let (known, version) = state.withLock { ($0.entries, $0.version) }
        if let known { return known }
        let entries = Entries(try await read())
        state.withLock { if $0.version == version { $0.entries = entries } }
        return entries
    }

    /// An issuer changed, or the world as a whole.
    package func forget() {
        state.withLock { state in
            state.entries = nil
            state.version += 1
        }
    }
}

/// One round of a hash-based key derivation with SHA-256: 32 bytes.
package enum KeyDerivation {
    /// Where the counter `00 00 00 01` stands.
    package enum Order: Sendable, CaseIterable {
        /// Counter, secret, information: the single-step function of NIST SP 800-56A, section 5.8.1.
        case counterFirst
        /// Secret, counter, information: ANSI X9.63. Looked at only to name the mistake.
        case secretFirst
    }

    /// The key for `secret` and `information`.
    package static func sha256(secret: SecretBytes, information: [UInt8], order: Order = .counterFirst) -> SecretBytes {
        let counter: [UInt8] = [0, 0, 0, 1]
        var digest =
            switch order {
            case .counterFirst: Hash.sha256.digest(counter, secret.bytes, information)
            case .secretFirst: Hash.sha256.digest(secret.bytes, counter, information)
            }
        defer { digest.wipe() }
        return SecretBytes(digest)
    }
}

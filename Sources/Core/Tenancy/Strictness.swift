/// How exactly the documented rules are taken. Signatures and decryption are never optional.
package enum Strictness: String, Sendable, CaseIterable {
    /// The documented rules.
    case documented
    /// What can be understood is accepted with a warning.
    case lenient
    /// The documented rules and what is recommended.
    case strict
}

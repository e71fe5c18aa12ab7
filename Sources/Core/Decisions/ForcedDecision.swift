/// A decision that a test ordered; it speaks before every other rule (CONTRACT, section 1, "Decision").
package struct ForcedDecision: Sendable, Equatable {
    package let decision: Decision
    /// What the network or the issuer would have given as its reason.
    package let reason: String?

    package init(_ decision: Decision, reason: String? = nil) {
        self.decision = decision
        self.reason = reason
    }
}

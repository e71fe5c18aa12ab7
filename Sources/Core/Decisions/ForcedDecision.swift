/// A decision that a test ordered; it speaks before every other rule (CONTRACT, section 1, "Decision").
package struct ForcedDecision: Sendable, Equatable {
    /// What is decided, whatever the rules say.
    package let decision: Decision
    /// What the network or the issuer would have given as its reason.
    package let reason: String?

    /// With a reason for a decline, in the network's words.
    package init(_ decision: Decision, reason: String? = nil) {
        self.decision = decision
        self.reason = reason
    }
}

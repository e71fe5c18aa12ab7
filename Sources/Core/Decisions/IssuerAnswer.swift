package import Wire

/// What the issuer decided about a new token when it was asked.
package struct IssuerAnswer: Sendable, Equatable {
    /// The question whether a new token may be made.
    package static let approval = "approval"

    /// What the issuer decided.
    package let decision: Decision
    /// Says why; a failed one of a red decision.
    package let check: Check

    /// Made of its members.
    package init(_ decision: Decision, check: Check) {
        self.decision = decision
        self.check = check
    }
}

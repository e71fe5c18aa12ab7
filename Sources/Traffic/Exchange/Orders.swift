package import Core
package import Web

/// How a test bends one request: what a fault or a scenario wants of the handler and of the answer.
package struct Orders: Sendable {
    /// The fault that took effect: a rule's id, or the value of `X-Sandbox-Fault`.
    package var fault: String?
    /// The decision that a fault wants. The handler that asks for a decision takes it.
    package var decision: ForcedDecision?
    /// The handler asked for a decision, whether a fault wants one or not.
    package var isDecisionUsed = false
    /// The scenario that was applied, for example `SCENARIO_APPLIED:2045`; the journal names it.
    package var scenario: String?
    /// Real time between the end of the handler and the answer.
    package var answerDelayMilliseconds: Int64 = 0
    /// How the answer is handed over, once the change is committed.
    package var delivery: Delivery?

    package init() {}
}

import Masking
package import Wire

/// The decision about one new token, and the rule that spoke first: a decision fault, magic data, the issuer's
/// answer, the default (CONTRACT, section 1, "Decision").
///
/// The first rule that speaks decides alone. What a later rule would have refused, a blocked or expired card or bad
/// activation data, does not refuse the request then: a test that orders a decision wants that decision whatever state
/// its cards are in.
package struct Ruling: Sendable {
    /// Which rule decided.
    package enum Rule: Sendable, Equatable {
        case fault
        case magicData
        case issuer
        case standard
    }

    /// The rule that decided.
    package let rule: Rule
    /// What was decided.
    package let decision: Decision
    /// Says why.
    package let check: Check
    /// The scenario that has an effect on this request, whichever rule decided.
    package let scenario: Scenario?

    /// - Parameters:
    ///   - scenario: that of the expiry in the request; nil when the tenant's magic data is off.
    ///   - answer: the issuer's, when it was asked.
    ///   - standard: asked only when no other rule speaks.
    package init(
        forced: ForcedDecision?,
        scenario: Scenario?,
        answer: IssuerAnswer? = nil,
        standard: () throws -> (Decision, Check)
    ) rethrows {
        let deciding: Scenario? = scenario?.decision == nil ? nil : scenario
        if let forced {
            rule = .fault
            decision = forced.decision
            check = forced.check
        } else if let deciding, let wanted = deciding.decision {
            rule = .magicData
            decision = wanted
            check =
                deciding.refusal.map { .failed("decision", $0, evidence: deciding.reason) }
                ?? .passed("decision", evidence: "\(wanted.rawValue): \(deciding.reason)")
        } else if let answer {
            rule = .issuer
            decision = answer.decision
            check = answer.check
        } else {
            rule = .standard
            (decision, check) = try standard()
        }
        // A scenario that wanted to decide and was not asked is not applied. One that lives on a token needs one.
        let isOvertaken = rule == .fault && deciding != nil
        let needsToken = scenario?.needsToken ?? false
        self.scenario = isOvertaken || (needsToken && decision == .red) ? nil : scenario
    }
}

extension ForcedDecision {
    /// The decision with the reason given upstream. The journal keeps it, masked and bounded; no answer shows it.
    package var check: Check {
        let evidence = reason.map { "\(decision.rawValue): \(Masking.excerpt($0, 200))" } ?? decision.rawValue
        return decision == .red
            ? .failed("decision", DecisionFault.forced, evidence: evidence)
            : .passed("decision", evidence: evidence)
    }
}

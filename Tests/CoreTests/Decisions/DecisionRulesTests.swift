import Core
import Testing
import Wire

@Suite struct DecisionRulesTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let state: Card.State
        let expiry: String
        let data: ActivationDataOutcome
        let policy: IssuerPolicies.BadActivationData
        let expected: String

        init(
            _ state: Card.State,
            _ expiry: String,
            _ data: ActivationDataOutcome,
            _ policy: IssuerPolicies.BadActivationData,
            _ expected: String
        ) {
            self.state = state
            self.expiry = expiry
            self.data = data
            self.policy = policy
            self.expected = expected
        }

        var testDescription: String { "\(state) \(expiry) \(data) \(policy): \(expected)" }
    }

    // The world's time is January 2030.
    @Test(arguments: [
        Case(.active, "1232", .verified, .refuse, "green"), Case(.active, "1232", .verified, .yellow, "green"),
        Case(.active, "1232", .notOffered, .refuse, "yellow"), Case(.active, "1232", .notOffered, .yellow, "yellow"),
        Case(.active, "1232", .refused, .refuse, "red ACTIVATION_DATA_REFUSED"),
        Case(.active, "1232", .refused, .yellow, "yellow"),
        Case(.active, "0130", .verified, .refuse, "green"),
        Case(.active, "1229", .verified, .refuse, "red CARD_EXPIRED"),
        Case(.active, "1229", .notOffered, .yellow, "red CARD_EXPIRED"),
        Case(.blocked, "1232", .verified, .refuse, "red CARD_BLOCKED"),
        Case(.blocked, "1229", .refused, .yellow, "red CARD_BLOCKED"),
        Case(.closed, "1232", .verified, .yellow, "red CARD_CLOSED"),
        Case(.closed, "1232", .notOffered, .refuse, "red CARD_CLOSED"),
    ])
    func `the first rule that speaks decides`(_ rule: Case) throws {
        let (decision, check) = try DecisionRules(
            cardState: rule.state,
            expiries: [Samples.expiry(rule.expiry)],
            activationData: rule.data,
            onBadActivationData: rule.policy,
            now: testNow
        ).decision
        let found = [decision.rawValue, check.code?.name].compactMap { $0 }.joined(separator: " ")
        #expect(found == rule.expected && check.passed == (decision != .red))
    }
}

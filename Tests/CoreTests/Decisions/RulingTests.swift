import Core
import Testing
import Wire

/// Which rule speaks first, and what becomes of the scenario then.
@Suite struct RulingTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let year: Int?
        let forced: Decision?
        let standard: Decision
        let expected: String

        init(_ year: Int?, _ forced: Decision?, _ standard: Decision, _ expected: String) {
            self.year = year
            self.forced = forced
            self.standard = standard
            self.expected = expected
        }

        var testDescription: String {
            "\(year.map(String.init) ?? "-") \(forced?.rawValue ?? "-") \(standard): \(expected)"
        }
    }

    @Test(arguments: [
        Case(nil, nil, .green, "standard green"), Case(nil, nil, .red, "standard red CARD_BLOCKED"),
        Case(nil, .green, .red, "fault green"), Case(nil, .yellow, .green, "fault yellow"),
        Case(nil, .red, .green, "fault red DECISION_FORCED_RED"),
        Case(2041, nil, .red, "magicData green 2041"), Case(2042, nil, .green, "magicData yellow 2042"),
        Case(2043, nil, .green, "magicData red CARD_NOT_ELIGIBLE 2043"),
        Case(2044, nil, .green, "magicData red ISSUER_DECLINED 2044"), Case(2045, nil, .red, "magicData green 2045"),
        Case(2046, nil, .green, "magicData red NETWORK_UNAVAILABLE 2046"),
        Case(2047, nil, .yellow, "standard yellow 2047"), Case(2047, nil, .red, "standard red CARD_BLOCKED 2047"),
        Case(2048, nil, .green, "standard green 2048"), Case(2048, nil, .red, "standard red CARD_BLOCKED"),
        Case(2049, nil, .green, "standard green 2049"), Case(2049, nil, .red, "standard red CARD_BLOCKED"),
        // A fault overtakes a scenario that decides, and leaves one that does not.
        Case(2041, .yellow, .red, "fault yellow"), Case(2043, .green, .red, "fault green"),
        Case(2045, .green, .green, "fault green"), Case(2046, .green, .green, "fault green"),
        Case(2047, .red, .green, "fault red DECISION_FORCED_RED 2047"), Case(2048, .green, .red, "fault green 2048"),
        Case(2049, .yellow, .green, "fault yellow 2049"), Case(2049, .red, .green, "fault red DECISION_FORCED_RED"),
    ])
    func `the first rule that speaks decides`(_ example: Case) {
        var asked = 0
        let ruling = Ruling(
            forced: example.forced.map { ForcedDecision($0) },
            scenario: example.year.flatMap { CardExpiry(month: 12, year: $0) }.flatMap(Scenario.init)
        ) {
            asked += 1
            let check: Check =
                example.standard == .red ? .failed("decision", DecisionFault.cardBlocked) : .passed("decision")
            return (example.standard, check)
        }
        let words = [
            "\(ruling.rule)", ruling.decision.rawValue, ruling.check.code?.name, ruling.scenario.map { "\($0.year)" },
        ]
        #expect(words.compactMap { $0 }.joined(separator: " ") == example.expected)
        #expect(ruling.check.passed == (ruling.decision != .red))
        #expect(asked == (ruling.rule == .standard ? 1 : 0))
    }

    @Test(
        arguments: [
            (nil, nil, Decision.red, "issuer red"), (nil, nil, .yellow, "issuer yellow"),
            (2042, nil, .green, "magicData yellow"), (2047, nil, .red, "issuer red"),
            (nil, .green, .red, "fault green"), (2043, .yellow, .red, "fault yellow"),
        ] as [(Int?, Decision?, Decision, String)]
    )
    func `the issuer's answer comes after faults and magic data, and before the default`(
        _ year: Int?,
        _ forced: Decision?,
        _ answer: Decision,
        _ expected: String
    ) {
        let check: Check =
            answer == .red ? .failed("decision", DecisionFault.issuerDeclined) : .passed("decision")
        let ruling = Ruling(
            forced: forced.map { ForcedDecision($0) },
            scenario: year.flatMap { CardExpiry(month: 12, year: $0) }.flatMap(Scenario.init),
            answer: IssuerAnswer(answer, check: check)
        ) {
            Issue.record("the default rules are asked")
            return (.green, .passed("decision"))
        }
        #expect("\(ruling.rule) \(ruling.decision.rawValue)" == expected)
        if ruling.rule == .issuer { #expect(ruling.check == check) }
    }

    @Test func `only the nine years are magic`() {
        let years = (2000...2099).filter { CardExpiry(month: 1, year: $0).flatMap(Scenario.init) != nil }
        #expect(years == Array(2041...2049))
        #expect(Scenario.table.map(\.code.name) == years.map { "SCENARIO_APPLIED:\($0)" })
    }

    @Test func `the reason of upstream is evidence, masked and bounded`() {
        let reason = "05 do not honor 4111111111111111 " + String(repeating: "x", count: 1_000)
        for decision in Decision.allCases {
            let evidence = ForcedDecision(decision, reason: reason).check.evidence ?? ""
            #expect(evidence.hasPrefix("\(decision.rawValue): 05 do not honor "))
            #expect(!evidence.contains("411111111111") && evidence.utf8.count < 260)
        }
    }
}

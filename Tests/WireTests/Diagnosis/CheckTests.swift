import Testing
import Wire

@Suite struct CheckTests {
    private let fault = JSONFault.Reason.syntax

    @Test func `a failed check refuses, a warning and a remark pass with their code`() {
        let failed = Check.failed("a.b", fault, evidence: "byte 3")
        let checks = [.passed("a.b"), failed, failed.asRemark, Check.warning("a.b", fault), .failed("a", fault.code)]
        #expect(checks.map(\.passed) == [true, false, true, true, false])
        #expect(checks.map(\.code?.name) == [nil, "JSON_SYNTAX", "JSON_SYNTAX", "JSON_SYNTAX", "JSON_SYNTAX"])
        #expect(checks.map(\.evidence) == [nil, "byte 3", "byte 3", nil, nil])
    }

    @Test func `the hint is the cure of the code unless a better one is known`() {
        let hints = [
            Check.failed("a", fault).hint, Check.failed("a", fault, hint: "x").hint, Check.warning("a", fault).hint,
            Check.failed("a", fault).asRemark.hint, Check.passed("a").hint,
        ]
        #expect(hints == [fault.meaning.cure, "x", fault.meaning.cure, fault.meaning.cure, nil])
    }

    @Test func `a value is accepted when it is there and no check refuses`() {
        let failed = Check.failed("a", fault)
        let cases: [(Checked<Int>, Bool, Int)] = [
            (Checked(value: 1, checks: []), true, 0),
            (Checked(value: 1, checks: [.passed("a"), .warning("b", fault)]), true, 0),
            (Checked(value: 1, checks: [.passed("a"), failed]), false, 1),
            (Checked(value: nil, checks: []), false, 0),
            (Checked(value: nil, checks: [failed, failed]), false, 2),
        ]
        #expect(cases.map(\.0.isAccepted) == cases.map(\.1))
        #expect(cases.map(\.0.failures.count) == cases.map(\.2))
    }

    @Test func `codes are told apart by name, and each has cause and cure as sentences`() {
        let codes = JSONFault.Reason.codes
        let bare = codes.filter { !$0.cause.hasSuffix(".") || !$0.cure.hasSuffix(".") }
        let same = DiagnosisCode(name: "JSON_EMPTY", kind: .warning, cause: "", cure: "")
        #expect(Set(codes + [same]).count == JSONFault.Reason.allCases.count && bare.isEmpty)
    }
}

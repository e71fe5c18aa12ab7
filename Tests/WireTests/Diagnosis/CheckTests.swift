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

    @Test func `a code leads back to the case that it was made of`() {
        #expect(fault.code.subject as? JSONFault.Reason == .syntax && fault.code.code == fault.code)
        #expect(DiagnosisCode(name: "JSON_SYNTAX", kind: .warning, cause: "", cure: "").subject == nil)
    }

    @Test func `a check keeps the place it was made with, and takes one from its caller otherwise`() {
        let made = Check.failed("a.b", fault, at: .header("x"))
        let checks = [made, .failed("a.b", fault), .passed("a.b"), .warning("a.b", fault)].at(.member("a"))
        #expect(checks.map(\.place) == [.header("x"), .body("/a"), .body("/a"), .body("/a")])
        #expect(checks[1].asRemark.place == .body("/a") && checks[1].name == "a.b")
        #expect(Checked(value: 1, checks: [.passed("a")]).at(.query("q")).checks[0].place == .query("q"))
    }

    @Test func `a place names its field, and a check after it`() {
        let places: [(Check.Place, field: String?, name: String, isInside: Bool)] = [
            (.body(""), nil, "body", false), (.body("/a"), "a", "body.a", false), (.member("a"), "a", "body.a", false),
            (.body("/a/0"), "a", "body.a/0", true), (.body("/b/a"), "b", "body.b/a", false),
            (.member("a/b~c"), "a/b~c", "body.a~1b~0c", false), (.body("/"), "", "body.", false),
            (.header("x-y"), "x-y", "header.x-y", false), (.query("a"), "a", "query.a", false),
            (.path("a"), "a", "path.a", false),
        ]
        #expect(places.map(\.0.field) == places.map(\.field))
        #expect(places.map { Check.failed($0.0, fault).name } == places.map(\.name))
        #expect(places.map { $0.0.isInside("a") } == places.map(\.isInside))
        #expect(places.map(\.0.pointer).prefix(3) == ["", "/a", "/a"] && Check.Place.path("a").pointer == nil)
    }

    @Test func `codes are told apart by name, and each has cause and cure as sentences`() {
        let codes = JSONFault.Reason.codes
        let bare = codes.filter { !$0.cause.hasSuffix(".") || !$0.cure.hasSuffix(".") }
        let same = DiagnosisCode(name: "JSON_EMPTY", kind: .warning, cause: "", cure: "")
        #expect(Set(codes + [same]).count == JSONFault.Reason.allCases.count && bare.isEmpty)
    }
}

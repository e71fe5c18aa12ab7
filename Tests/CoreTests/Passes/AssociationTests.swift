import Core
import Testing

@Suite struct AssociationTests {
    private static let team = "ABCDE12345"
    private static let other = "ZZZZZ99999"

    @Test func `an entry is a Team ID and a bundle id, or ends in a wildcard`() {
        let good = ["\(Self.team).com.bank.app", "\(Self.team).*", "\(Self.team).com.*", "0123456789.a-b.C1"]
        #expect(good.filter { Association.objection(to: $0) != nil } == [])
    }

    @Test(arguments: [
        "", "com.bank.app", "\(team)", "\(team).", "\(team)..app", "\(team).com.bank.", ".\(team).app", "*", "*.app",
        "\(team).*.app", "\(team).com.*.app", "\(team).com.bank*", "\(team).*app", "\(team).**", "\(team).com bank",
        "\(team).com_bank", "\(team).cöm", "abcde12345.com.bank", "ABCDE1234.com.bank", "ABCDE123456.com.bank",
        "ABCDE-2345.com.bank", "ABCDE1234\u{212A}.com.bank", " \(team).com.bank", "\(team).com.bank ",
    ])
    func `a bad entry is refused naming it`(_ entry: String) {
        let objection = Association.objection(to: entry)
        #expect(objection?.hasPrefix(entry) == true)
    }

    @Test func `an application is named without a wildcard`() {
        let cases: [(String, Bool)] = [
            ("\(Self.team).com.bank", true), ("\(Self.team).com.*", false), ("com.bank", false),
            (Self.team + "." + String(repeating: "a", count: 189), true),
            (Self.team + "." + String(repeating: "a", count: 190), false),
        ]
        #expect(cases.filter { Association.isApplicationIdentifier($0.0) != $0.1 }.map(\.0) == [])
    }

    struct Visit: CustomTestStringConvertible, Sendable {
        let application: String
        let entry: String
        let isCovered: Bool
        /// A piece of the near miss; nil when nothing is near.
        let miss: String?

        init(_ application: String, _ entry: String, covered: Bool = false, miss: String? = nil) {
            self.application = application
            self.entry = entry
            isCovered = covered
            self.miss = miss
        }

        var testDescription: String { "\(application) for \(entry)" }
    }

    @Test(arguments: [
        Visit("\(team).app", "\(team).app", covered: true),
        Visit("\(team).app.sub", "\(team).app.*", covered: true),
        Visit("\(team).app.sub.deep", "\(team).app.*", covered: true),
        Visit("\(team).anything", "\(team).*", covered: true),
        Visit("\(team).app", "\(team).app.*", miss: "not \(team).app itself"),
        Visit("\(team).apple", "\(team).app"),
        Visit("\(team).apple", "\(team).app.*"),
        Visit("\(team).app.ext", "\(team).app", miss: "\(team).app.* would cover"),
        Visit("\(team).App", "\(team).app", miss: "letter case"),
        Visit("\(team).Com.Bank.app", "\(team).com.bank.*", miss: "letter case"),
        Visit("abcde12345.app", "\(team).app", miss: "letter case"),
        Visit("\(other).app", "\(team).app", miss: "same bundle id under another Team ID"),
        Visit("\(other).app.ext", "\(team).app.*", miss: "matching bundle id under another Team ID"),
        Visit("\(other).app", "\(team).*", miss: "another Team ID"),
        Visit("app", "\(team).app", miss: "has a Team ID"),
        Visit("com.bank", "\(team).com.bank.*", miss: "has a Team ID"),
        Visit("com.bank.wallet", "\(team).com.bank.*", miss: "has a Team ID"),
        Visit("bank", "\(team).com.bank"),
        Visit("other", "\(team).app"),
        Visit("\(other).quite.different", "\(team).app"),
    ])
    func `an entry covers an application, or its near miss is named`(_ visit: Visit) {
        let miss = Association.nearMiss(visit.application, entries: [visit.entry])
        let isNear = visit.miss.map { miss?.contains($0) == true && miss?.hasPrefix(visit.entry) == true }
        #expect(Association.covers(visit.application, entries: [visit.entry]) == visit.isCovered)
        #expect(visit.isCovered || isNear ?? (miss == nil), "\(miss ?? "no near miss")")
    }

    @Test func `one of several entries is enough, and none covers nothing`() {
        let entries = ["\(Self.other).*", "\(Self.team).app"]
        #expect(Association.covers("\(Self.team).app", entries: entries))
        #expect(!Association.covers("\(Self.team).app", entries: []))
    }
}

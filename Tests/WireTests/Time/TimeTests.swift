import Testing
import Wire

@Suite struct TimeTests {
    /// Seconds as `date -u -d … +%s` gives them.
    static let dates: [(text: String, seconds: Int64)] = [
        ("1970-01-01T00:00:00Z", 0), ("1969-12-31T23:59:59Z", -1), ("1970-03-01T00:00:00Z", 5_097_600),
        ("2000-02-29T12:00:00Z", 951_825_600), ("2023-11-14T22:13:20Z", 1_700_000_000),
        ("2024-02-29T23:59:59Z", 1_709_251_199), ("2024-03-01T00:00:00Z", 1_709_251_200),
        ("2030-01-01T00:00:00Z", 1_893_456_000), ("2100-02-28T23:59:59Z", 4_107_542_399),
        ("2100-03-01T00:00:00Z", 4_107_542_400), ("1900-03-01T00:00:00Z", -2_203_891_200),
        ("1600-02-29T00:00:00Z", -11_670_998_400), ("0000-03-01T00:00:00Z", -62_162_035_200),
        ("9999-12-31T23:59:59Z", 253_402_300_799),
    ]

    @Test func `dates are written and read`() {
        let wrong = Self.dates.filter { text, seconds in
            RFC3339.format(Instant(seconds: seconds)) != text || RFC3339.parse(text) != Instant(seconds: seconds)
        }
        #expect(wrong.map(\.text) == [])
    }

    @Test func `offsets and fractions are read`() {
        let cases: [(String, Int64)] = [
            ("1970-01-01T01:00:00+01:00", 0), ("1969-12-31T14:30:00-09:30", 0), ("1970-01-01t00:00:00z", 0),
            ("1970-01-01T00:00:00-00:00", 0), ("1970-01-01T23:59:00+23:59", 0), ("1970-01-01T00:00:00.5Z", 500),
            ("1970-01-01T00:00:00.25Z", 250), ("1970-01-01T00:00:00.001Z", 1), ("1970-01-01T00:00:00.1239999Z", 123),
            ("1969-12-31T23:59:59.999Z", -1), ("1970-01-01T01:00:00.250+01:00", 250),
        ]
        #expect(cases.filter { RFC3339.parse($0.0)?.milliseconds != $0.1 }.map(\.0) == [])
    }

    @Test(arguments: [
        "", "2030", "2030-01-01", "2030-01-01T00:00:00", "2030-01-01 00:00:00Z", "2030-1-01T00:00:00Z",
        "2030-01-01T00:00Z", "2030-01-01T00:00:00.Z", "2030-01-01T00:00:00,5Z", "2030-01-01T24:00:00Z",
        "2030-01-01T00:60:00Z", "2030-06-30T23:59:60Z", "2030-00-01T00:00:00Z", "2030-13-01T00:00:00Z",
        "2030-01-00T00:00:00Z", "2030-01-32T00:00:00Z", "2030-04-31T00:00:00Z", "2023-02-29T00:00:00Z",
        "2100-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2030-01-01T00:00:00+1:00", "2030-01-01T00:00:00+0100",
        "2030-01-01T00:00:00+24:00", "2030-01-01T00:00:00+01:60", "2030-01-01T00:00:00Z ", " 2030-01-01T00:00:00Z",
        "2030-01-01T00:00:00ZZ", "+2030-01-01T00:00:00Z", "12030-01-01T00:00:00Z", "2030-01-01T00:00:00\u{E9}",
        "-001-01-01T00:00:00Z", "２030-01-01T00:00:00Z",
    ])
    func `a text that is not a date is refused`(_ text: String) {
        #expect(RFC3339.parse(text) == nil)
    }

    @Test func `milliseconds are written only when there are some`() {
        let texts = [0, 1, 250, 999, -1].map { RFC3339.format(Instant(milliseconds: $0)).dropFirst(11) }
        #expect(texts == ["00:00:00Z", "00:00:00.001Z", "00:00:00.250Z", "00:00:00.999Z", "23:59:59.999Z"])
    }

    @Test func `every instant comes back from its calendar date`() {
        var random = Generator(seed: 11)
        let days = (0..<(400 * 366)).lazy.map { Instant(seconds: -11_670_998_400 + Int64($0) * 86_399) }
        let others = (0..<1_000).map { _ in
            Instant(milliseconds: Int64.random(in: -62_167_219_200_000...253_402_300_799_999, using: &random))
        }
        let wrong =
            days.filter { Instant($0.civil) != $0 }.map(\.milliseconds)
            + others.filter { Instant($0.civil) != $0 || RFC3339.parse(RFC3339.format($0)) != $0 }.map(\.milliseconds)
        #expect(Array(wrong) == [])
    }

    @Test func `a date that does not exist is not an instant`() {
        let good = Instant(seconds: 1_893_456_000).civil
        let changes: [(WritableKeyPath<CivilTime, Int>, Int)] = [
            (\.year, -1), (\.year, 10_000), (\.month, 0), (\.month, 13), (\.day, 0), (\.day, 32), (\.hour, -1),
            (\.hour, 24), (\.minute, 60), (\.second, 60), (\.millisecond, -1), (\.millisecond, 1_000),
        ]
        let found = changes.filter { path, value in
            var civil = good
            civil[keyPath: path] = value
            return Instant(civil) != nil
        }
        let lengths = (1...12).map { Instant.days(inMonth: $0, year: 2_023) }
        #expect(found.count == 0 && Instant(good) != nil)
        #expect(lengths == [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])
        #expect([1_900, 2_000, 2_024, 2_100].map { Instant.days(inMonth: 2, year: $0) } == [28, 29, 29, 28])
    }

    @Test func `whole seconds are rounded down`() {
        let cases: [(Int64, Int64)] = [
            (0, 0), (999, 0), (1_000, 1), (-1, -1), (-999, -1), (-1_000, -1), (-1_001, -2),
            (.min, -9_223_372_036_854_776), (.max, 9_223_372_036_854_775),
        ]
        #expect(cases.filter { Instant(milliseconds: $0.0).seconds != $0.1 }.map(\.0) == [])
    }

    @Test func `instants are moved, compared and subtracted`() {
        let start = Instant(seconds: 10)
        let later = start.adding(seconds: 2).adding(milliseconds: 500)
        #expect(later.milliseconds == 12_500 && start < later && later.seconds(since: start) == 2.5)
    }

    @Test func `the Date header has the weekday, before 1970 too`() {
        // The first is the example of RFC 9110, section 5.6.7.
        let cases: [(Int64, String)] = [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (951_825_600, "Tue, 29 Feb 2000 12:00:00 GMT"), (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
            (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (-86_400, "Wed, 31 Dec 1969 00:00:00 GMT"),
            (-604_800, "Thu, 25 Dec 1969 00:00:00 GMT"), (-62_162_035_200, "Wed, 01 Mar 0000 00:00:00 GMT"),
        ]
        #expect(cases.map { HTTPDate.format(Instant(seconds: $0.0)) } == cases.map(\.1))
    }
}

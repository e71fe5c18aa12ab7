import Testing
import Wire

@testable import Crypto

struct TimeClaimsTests {
    private let now: Int64 = 1_700_000_000

    @Test func `each time is judged with 60 seconds of leeway`() {
        let cases: [(String, [(String, JSON)], [String])] = [
            ("good", [("exp", .number(now + 300)), ("iat", .number(now))], []),
            ("iat + 5", [("exp", .number(now + 300)), ("iat", .number(now + 5))], []),
            ("iat + 59", [("exp", .number(now + 300)), ("iat", .number(now + 59))], []),
            ("iat + 61", [("exp", .number(now + 300)), ("iat", .number(now + 61))], ["JWT_IAT_FUTURE"]),
            ("exp - 1", [("exp", .number(now - 1)), ("iat", .number(now - 9))], []),
            ("exp - 61", [("exp", .number(now - 61)), ("iat", .number(now - 99))], ["JWT_EXPIRED"]),
            ("fraction", [("exp", .number("1700000100.5")), ("iat", .number(now))], []),
            ("no exp", [("iat", .number(now))], ["JWT_EXP_MISSING"]),
            ("no iat", [("exp", .number(now))], ["JWT_IAT_MISSING"]),
            ("text", [("exp", "1700000000"), ("iat", "now")], ["JWT_EXP_NOT_NUMBER", "JWT_IAT_NOT_NUMBER"]),
            (
                "dates", [("exp", "2023-11-14T22:13:20Z"), ("iat", "Tue, 14 Nov 2023 22:13:20 GMT"), ("nbf", "")],
                ["JWT_EXP_NOT_NUMBER", "JWT_IAT_NOT_NUMBER", "JWT_NBF_NOT_NUMBER"]
            ),
            (
                "other types", [("exp", true), ("iat", [.number(now)]), ("nbf", ["seconds": .number(now)])],
                ["JWT_EXP_NOT_NUMBER", "JWT_IAT_NOT_NUMBER", "JWT_NBF_NOT_NUMBER"]
            ),
            (
                "microseconds", [("exp", .number(now * 1_000_000)), ("iat", .number(now))],
                ["JWT_EXP_MILLISECONDS"]
            ),
            ("year 5138", [("exp", .number("99999999999")), ("iat", .number(now))], ["JWT_EXP_FAR"]),
            ("after it", [("exp", .number("100000000000")), ("iat", .number(now))], ["JWT_EXP_MILLISECONDS"]),
            (
                "largest", [("exp", .number("9007199254740992")), ("iat", .number("-9007199254740992"))],
                ["JWT_EXP_MILLISECONDS", "JWT_IAT_NOT_NUMBER"]
            ),
            ("null", [("exp", nil), ("iat", .number(now))], ["JWT_EXP_NOT_NUMBER"]),
            (
                "milliseconds", [("exp", .number(now * 1_000)), ("iat", .number(now * 1_000))],
                ["JWT_EXP_MILLISECONDS", "JWT_IAT_MILLISECONDS"]
            ),
            ("exp before iat", [("exp", .number(now - 10)), ("iat", .number(now))], ["JWT_EXP_BEFORE_IAT"]),
            (
                "nbf", [("exp", .number(now + 9)), ("iat", .number(now)), ("nbf", .number(now + 61))],
                ["JWT_NOT_YET_VALID"]
            ),
            (
                "nbf ms", [("exp", .number(now)), ("iat", .number(now)), ("nbf", .number(now * 1_000))],
                ["JWT_NBF_MILLISECONDS"]
            ),
            (
                "huge", [("exp", .number("1e300")), ("iat", .number("-1"))],
                ["JWT_EXP_MILLISECONDS", "JWT_IAT_NOT_NUMBER"]
            ),
        ]
        for (name, members, expected) in cases {
            let checks = TimeClaims(longLife: .refused).check(
                .object(JSONObject(members)),
                now: Instant(seconds: now),
                field: "t"
            )
            #expect(checks.filter { !$0.passed }.compactMap { $0.code?.name } == expected, "\(name)")
        }
    }

    @Test func `a long life is warned about or refused`() {
        let claims: JSON = ["exp": .number(now + 604_800), "iat": .number(now)]
        for (rule, passes, code) in [
            (TimeClaims.LongLife.accepted, true, nil), (.warned, true, "JWT_EXP_FAR"), (.refused, false, "JWT_EXP_FAR"),
        ] {
            let checks = TimeClaims(longLife: rule).check(claims, now: Instant(seconds: now), field: "t")
            #expect(checks[0].passed == passes)
            #expect(checks[0].code?.name == code)
        }
    }

    @Test func `the evidence has both times`() {
        let claims: JSON = ["exp": .number(now - 100), "iat": .number(now - 400)]
        let evidence = TimeClaims().check(claims, now: Instant(seconds: now), field: "t").first?.evidence
        #expect(evidence?.contains("server time 2023-11-14T22:13:20") == true)
        #expect(evidence?.contains("exp 2023-11-14T22:11:40") == true)
    }

    /// A `jti` that is forgotten while its token is still taken can be used twice.
    @Test func `a token is remembered to the end of the last second in which it is taken`() {
        let rules = TimeClaims(leeway: 60)
        let claims: JSON = ["iat": 900, "exp": 1_000]
        let last = rules.usableUntil(claims)
        #expect(last == Instant(milliseconds: 1_060_999))
        let isTaken = [1_060_999, 1_061_000].map { milliseconds in
            rules.check(claims, now: Instant(milliseconds: milliseconds), field: "token").allSatisfy(\.passed)
        }
        #expect(isTaken == [true, false])
        #expect(rules.usableUntil(["exp": "soon"]) == nil)
    }
}

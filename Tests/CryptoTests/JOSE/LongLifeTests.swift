import Crypto
import Testing
import Wire

/// "At most five minutes ahead": exact where it refuses, with the leeway of the clocks where it warns.
struct LongLifeTests {
    private let now: Int64 = 1_700_000_000

    @Test(arguments: [
        (TimeClaims.LongLife.refused, 300, ""), (.refused, 301, "JWT_EXP_FAR"), (.warned, 360, ""),
        (.warned, 361, "JWT_EXP_FAR"), (.accepted, 604_800, ""),
    ])
    func `the last second of a life that is not too long`(_ rule: TimeClaims.LongLife, _ life: Int64, _ code: String) {
        let claims: JSON = ["exp": .number(now + life), "iat": .number(now)]
        let check = TimeClaims(longLife: rule).check(claims, now: Instant(seconds: now), field: "t").first
        #expect(check?.code?.name ?? "" == code)
        #expect(check?.passed == (rule != .refused || code.isEmpty))
    }
}

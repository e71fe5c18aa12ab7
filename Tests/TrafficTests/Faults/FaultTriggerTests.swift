import Core
import Testing
import Traffic
import Wire

struct FaultTriggerTests {
    private static let start = Instant(seconds: 1_000)

    private static func rule(_ trigger: JSON, id: String = "r") throws -> FaultRule {
        let draft = try FaultRuleDraft(["effect": ["connection": "reset"], "trigger": trigger])
        return FaultRule(draft, id: id, order: 1, createdAt: start)
    }

    /// Which of the next matching requests fire.
    private static func fires(_ trigger: JSON, seed: UInt64 = 1, id: String = "r", count: Int) throws -> [Bool] {
        let book = FaultBook([try rule(trigger, id: id)], seed: seed)
        return (0..<count).map { _ in book.claim(id, at: start) != nil }
    }

    @Test(
        arguments: [
            (["skip": 2], [false, false, true, true]), (["times": 1], [true, false, false, false]),
            (["skip": 1, "times": 2], [false, true, true, false]), ([:], [true, true, true, true]),
            (["probability": 1], [true, true, true, true]),
        ] as [(JSON, [Bool])]
    )
    func `requests are skipped and counted`(_ trigger: JSON, _ expected: [Bool]) throws {
        #expect(try Self.fires(trigger, count: 4) == expected)
    }

    @Test func `probability is drawn from the seed, for each rule by itself`() throws {
        let first = try Self.fires(["probability": .number("0.3")], count: 400)
        #expect(try Self.fires(["probability": .number("0.3")], count: 400) == first)
        #expect(try Self.fires(["probability": .number("0.3")], seed: 2, count: 400) != first)
        #expect(try Self.fires(["probability": .number("0.3")], id: "other", count: 400) != first)
        #expect((80...160).contains(first.count { $0 }))
    }

    @Test func `a rule ends with its life in tenant time`() throws {
        let book = FaultBook([try Self.rule(["ttlSeconds": 60])], seed: 1)
        #expect(book.claim("r", at: Self.start.adding(seconds: 59)) != nil)
        #expect(book.claim("r", at: Self.start.adding(seconds: 60)) == nil)
    }

    @Test func `a claim without effect does not count`() throws {
        let book = FaultBook([try Self.rule(["times": 1])], seed: 1)
        let claim = try #require(book.claim("r", at: Self.start))
        #expect(book.claim("r", at: Self.start) == nil)
        book.refund("r", claim)
        #expect(book.rule("r")?.fired == 0)
        #expect(book.claim("r", at: Self.start) != nil)
        #expect(book.rule("r")?.fired == 1)
    }

    @Test func `a claim of a rule that is gone is not taken back from another one with its id`() throws {
        let book = FaultBook([try Self.rule(["times": 1])], seed: 1)
        let claim = try #require(book.claim("r", at: Self.start))
        let draft = try FaultRuleDraft(["effect": ["connection": "reset"], "trigger": ["times": 1]])
        book.add(FaultRule(draft, id: "r", order: 2, createdAt: Self.start))
        book.refund("r", claim)
        #expect(book.rules.map(\.fired) == [0])
        #expect(book.claim("r", at: Self.start) != nil)
        #expect(book.claim("r", at: Self.start) == nil)
    }

    @Test func `of parallel requests exactly as many fire as the rule says`() async throws {
        let book = FaultBook([try Self.rule(["skip": 10, "times": 25])], seed: 1)
        let fired = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<200 { group.addTask { book.claim("r", at: Self.start) != nil } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(fired == 25)
    }

    @Test(arguments: [FaultDelay.uniform(milliseconds: 10...20), .lognormal(medianMilliseconds: 100, sigma: 0.5)])
    func `delays are drawn within their shape`(_ delay: FaultDelay) {
        var draws = Draws(seed: 9)
        let lengths = (0..<1_000).map { _ in delay.milliseconds(&draws) }.sorted()
        var again = Draws(seed: 9)
        #expect(delay.milliseconds(&again) == delay.milliseconds(&again) || lengths.first != lengths.last)
        switch delay {
        case .uniform(let range):
            #expect(lengths.first == range.lowerBound && lengths.last == range.upperBound)
        default:
            // The median is the parameter; a lognormal value is never negative.
            #expect((85...115).contains(lengths[500]))
            #expect(lengths[0] >= 0 && lengths[999] > 200)
        }
    }

    @Test func `a lognormal delay is bounded`() {
        var draws = Draws(seed: 3)
        let delay = FaultDelay.lognormal(medianMilliseconds: 500_000, sigma: 5)
        #expect((0..<200).allSatisfy { _ in (0...600_000).contains(delay.milliseconds(&draws)) })
    }
}

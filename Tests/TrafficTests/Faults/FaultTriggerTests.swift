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
        return (0..<count).map { _ in book.claim(id, at: start)?.fires == true }
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
        #expect(book.claim("r", at: Self.start.adding(seconds: 59))?.fires == true)
        #expect(book.claim("r", at: Self.start.adding(seconds: 60))?.fires != true)
    }

    @Test func `a claim without effect does not count`() throws {
        let book = FaultBook([try Self.rule(["times": 1])], seed: 1)
        let claim = try #require(book.claim("r", at: Self.start))
        #expect(book.claim("r", at: Self.start)?.fires != true)
        book.takeBack("r", claim)
        #expect(book.rule("r")?.fired == 0)
        #expect(book.claim("r", at: Self.start)?.fires == true)
        #expect(book.rule("r")?.fired == 1)
    }

    @Test(arguments: [["skip": 1], ["probability": .number("0.5")], ["times": 3]] as [JSON])
    func `a claim that is taken back leaves no trace`(_ trigger: JSON) throws {
        let plain = try Self.fires(trigger, count: 40)
        let book = FaultBook([try Self.rule(trigger)], seed: 1)
        var fired: [Bool] = []
        for _ in 0..<40 {
            let before = book.rule("r")
            let wouldFire = book.wouldFire("r", at: Self.start)
            for _ in 0..<3 {
                guard let claim = book.claim("r", at: Self.start) else { continue }
                #expect(claim.fires == wouldFire)
                book.takeBack("r", claim)
            }
            #expect(book.rule("r") == before)
            fired.append(book.claim("r", at: Self.start)?.fires == true)
            #expect(fired.last == wouldFire)
        }
        #expect(fired == plain)
    }

    @Test func `a turn that is taken back late is lost, so that no two requests draw the same`() throws {
        let book = FaultBook([try Self.rule([:])], seed: 1)
        let claims = try (0..<3).map { _ in try #require(book.claim("r", at: Self.start)) }
        book.takeBack("r", claims[0])
        #expect(book.rule("r")?.seen == 3 && book.rule("r")?.fired == 2)
        let next = try #require(book.claim("r", at: Self.start))
        #expect(claims.map(\.turn) + [next.turn] == [0, 1, 2, 3])
    }

    @Test func `a claim of a rule that is gone is not taken back from another one with its id`() throws {
        let book = FaultBook([try Self.rule(["times": 1])], seed: 1)
        let claim = try #require(book.claim("r", at: Self.start))
        let draft = try FaultRuleDraft(["effect": ["connection": "reset"], "trigger": ["times": 1]])
        book.add(FaultRule(draft, id: "r", order: 2, createdAt: Self.start))
        book.takeBack("r", claim)
        #expect(book.rules.map(\.fired) == [0])
        #expect(book.claim("r", at: Self.start)?.fires == true)
        #expect(book.claim("r", at: Self.start)?.fires != true)
    }

    @Test func `of parallel requests exactly as many fire as the rule says`() async throws {
        let book = FaultBook([try Self.rule(["skip": 10, "times": 25])], seed: 1)
        let fired = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<200 { group.addTask { book.claim("r", at: Self.start)?.fires == true } }
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

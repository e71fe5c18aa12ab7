import Core
import Synchronization
import Testing
import Traffic
import Wire

/// What a long poll stands on.
@Suite struct JournalWatchTests {
    private static func add(_ ids: String..., to journal: JournalRing, face: String = "tpc", at: Int64 = 0) async {
        for id in ids {
            await journal.append(
                JournalSamples.entry(JournalSamples.context(id, face: face, at: Instant(seconds: at)))
            )
        }
    }

    @Test func `from now on only what comes later counts, whatever the clock says`() async throws {
        let journal = JournalRing()
        await Self.add("before", to: journal, at: 100)
        var filter = JournalFilter(face: "tpc")
        filter.isFromNow = true
        let watch = try #require(await journal.watch(.default, matching: filter, count: 2))
        await Self.add("a", to: journal, at: 50)
        await Self.add("other", to: journal, face: "wallet")
        #expect(!watch.isComplete)
        await Self.add("b", to: journal, at: 50)
        #expect(watch.isComplete)
        let page = await journal.entries(of: .default, matching: JournalFilter(face: "tpc"), from: watch.start)
        #expect(page.items.map(\.requestID) == ["b", "a"])
    }

    @Test func `with a time what is kept counts too`() async throws {
        let journal = JournalRing()
        await Self.add("old", to: journal, at: 10)
        await Self.add("new", to: journal, at: 20)
        let all = JournalFilter(since: Instant(milliseconds: .min))
        let late = JournalFilter(since: Instant(seconds: 20))
        #expect(await journal.watch(.default, matching: all, count: 2)?.isComplete == true)
        #expect(await journal.watch(.default, matching: all, count: 3)?.isComplete == false)
        let watch = try #require(await journal.watch(.default, matching: late, count: 2))
        #expect(!watch.isComplete)
        await Self.add("newer", to: journal, at: 20)
        #expect(watch.isComplete)
    }

    @Test func `what happens between the look and the wait is not lost`() async throws {
        let journal = JournalRing()
        let woken = Atomic<Int>(0)
        let watch = try #require(await journal.watch(.default, matching: JournalFilter(), count: 1))
        #expect(!watch.isComplete)
        await Self.add("between", to: journal)
        watch.whenDone { woken.add(1, ordering: .relaxed) }
        #expect(woken.load(ordering: .relaxed) == 1)
        await Self.add("later", to: journal)
        #expect(woken.load(ordering: .relaxed) == 1)
    }

    @Test(arguments: 0..<50)
    func `appends beside the beginning of a watch are each counted once`(_ round: Int) async throws {
        let journal = JournalRing()
        let since = Instant(milliseconds: .min)
        async let adding: Void = {
            for index in 0..<20 { await Self.add("\(index)", to: journal) }
        }()
        let watch = try #require(await journal.watch(.default, matching: JournalFilter(since: since), count: 20))
        let more = try #require(await journal.watch(.default, matching: JournalFilter(since: since), count: 21))
        await adding
        #expect(watch.isComplete && !more.isComplete)
    }

    @Test func `a cleared and a forgotten journal end their watches`() async throws {
        let journal = JournalRing()
        let woken = Atomic<Int>(0)
        for isForgotten in [false, true] {
            let open = try #require(await journal.watch(.default, matching: JournalFilter(), count: 2))
            let met = try #require(await journal.watch(.default, matching: JournalFilter(), count: 1))
            open.whenDone { woken.add(1, ordering: .relaxed) }
            await Self.add("a", to: journal)
            if isForgotten { await journal.forget(.default) } else { await journal.clear(.default) }
            // What was found is gone.
            #expect(!open.isComplete && !met.isComplete)
            await Self.add("b", "c", to: journal)
            #expect(!open.isComplete)
            await journal.close(open, of: .default)
            await journal.close(met, of: .default)
        }
        #expect(woken.load(ordering: .relaxed) == 2)
        #expect(await journal.totals.watches == 0)
    }

    @Test func `a tenant has at most 64 watches, and another has its own`() async throws {
        let journal = JournalRing()
        var watches: [JournalWatch] = []
        for _ in 0..<64 {
            watches.append(try #require(await journal.watch(.default, matching: JournalFilter(), count: 1)))
        }
        #expect(await journal.watch(.default, matching: JournalFilter(), count: 1) == nil)
        let other = try JournalSamples.tenant("other")
        #expect(await journal.watch(other, matching: JournalFilter(), count: 1) != nil)
        #expect(await journal.totals.watches == 65)
        await journal.close(watches[0], of: .default)
        #expect(await journal.watch(.default, matching: JournalFilter(), count: 1) != nil)
    }

    @Test func `count and timeout are read`() throws {
        let some = try JournalWait.parse([
            (name: "count", value: "250"), (name: "timeout", value: "1.5"), (name: "face", value: "tpc"),
        ])
        // What went out is asked for by name.
        var inbound = JournalFilter(face: "tpc", limit: 250)
        inbound.direction = .inbound
        #expect(some == JournalWait(filter: inbound, count: 250, milliseconds: 1_500))
        (inbound.face, inbound.limit) = (nil, JournalFilter.defaultLimit)
        #expect(try JournalWait.parse([]) == JournalWait(filter: inbound, count: 1, milliseconds: 30_000))
        #expect(try JournalWait.parse([(name: "since", value: "now")]).filter.isFromNow)
        #expect(try JournalWait.parse([(name: "timeout", value: "0")]).milliseconds == 0)
        #expect(try JournalWait.parse([(name: "timeout", value: "60")]).milliseconds == 60_000)
        #expect(try JournalWait.parse([(name: "timeout", value: "0.0001")]).milliseconds == 1)
    }

    @Test(arguments: [
        ("timeout", "60.1", JournalFilterFault.Reason.seconds), ("timeout", "-1", .seconds), ("timeout", "", .seconds),
        ("timeout", "1e1", .seconds), ("timeout", "nan", .seconds), ("timeout", "1.", .seconds),
        ("timeout", "0x1", .seconds), ("count", "0", .number), ("count", "10001", .number), ("count", "x", .number),
        ("since", "later", .time), ("direction", "outbound", .word), ("cuont", "1", .unknown),
    ])
    func `a wrong parameter is named`(_ name: String, _ value: String, _ reason: JournalFilterFault.Reason) {
        let error = #expect(throws: JournalFilterFault.self) { try JournalWait.parse([(name: name, value: value)]) }
        #expect(error?.reason == reason && error?.parameter == name)
        if reason == .unknown { #expect(error?.message.hasSuffix("requestId, limit, count and timeout.") == true) }
        let twice = #expect(throws: JournalFilterFault.self) {
            try JournalWait.parse([(name: "count", value: "1"), (name: "count", value: "1")])
        }
        #expect(twice?.reason == .repeated)
    }
}

import Core
import Testing
import Traffic
import Wire

@Suite struct JournalRingTests {
    static func ids(_ journal: JournalRing, _ tenant: TenantName = .default) async -> [String] {
        await journal.entries(of: tenant, matching: JournalFilter(limit: 10_000)).items.map(\.requestID)
    }

    @Test(arguments: [1, 3, 16, 17, 40])
    func `the number of entries is bounded and the dropped are counted`(_ capacity: Int) async {
        let journal = JournalRing(capacity: capacity)
        for index in 0..<100 { await journal.append(JournalSamples.entry(JournalSamples.context("r\(index)"))) }
        let page = await journal.entries(of: .default, matching: JournalFilter(limit: 10_000))
        #expect(page.items.map(\.requestID) == (100 - capacity..<100).reversed().map { "r\($0)" })
        #expect(page.dropped == 100 - capacity)
        #expect(page.position == 100)
        #expect(page.json["dropped"]?.integer == Int64(100 - capacity))
        #expect(page.json["items"]?.array?.count == capacity)
    }

    @Test func `the bytes are bounded and the newest stays`() async {
        let journal = JournalRing(capacity: 100, byteLimit: 10_000)
        let body = [UInt8](repeating: UInt8(ascii: "x"), count: 3_000)
        for index in 0..<10 {
            await journal.append(JournalSamples.entry(JournalSamples.context("r\(index)"), body: body))
        }
        #expect(await Self.ids(journal) == ["r9", "r8"])
        let large = [UInt8](repeating: UInt8(ascii: "x"), count: 16_000)
        await journal.append(JournalSamples.entry(JournalSamples.context("large"), body: large))
        #expect(await Self.ids(journal) == ["large"])
        #expect(await journal.entries(of: .default, matching: JournalFilter()).dropped == 10)
        await journal.append(JournalSamples.entry(JournalSamples.context("small")))
        #expect(await Self.ids(journal) == ["small"])
    }

    @Test func `attempts are counted by operation and request id`() async throws {
        let journal = JournalRing()
        let other = try JournalSamples.tenant("other")
        func attempt(_ requestID: String, _ operation: String, _ tenant: TenantName) async -> Int? {
            await journal.append(
                JournalSamples.entry(JournalSamples.context(requestID, tenant: tenant, operation: operation))
            )
            return await journal.entries(of: tenant, matching: JournalFilter()).items.first?.attempt
        }
        #expect(await attempt("r1", "a", .default) == 1)
        #expect(await attempt("r1", "a", .default) == 2)
        #expect(await attempt("r1", "b", .default) == 1)
        #expect(await attempt("r2", "a", .default) == 1)
        #expect(await attempt("r1", "a", other) == 1)
        #expect(await journal.attempt(of: "a", requestID: "r1", in: .default) == 3)
        var context = JournalSamples.context("r1", operation: "a")
        context.attempt = 3
        await journal.append(JournalSamples.entry(context))
        #expect(await attempt("r1", "a", .default) == 4)
        #expect(await journal.entries(of: .default, requestID: "r1").map(\.attempt) == [4, 3, 1, 2, 1])
        #expect(await journal.entries(of: .default, requestID: "r9").isEmpty)
    }

    @Test func `the table of attempts forgets the pair seen first`() async {
        let journal = JournalRing()
        for index in 0...10_000 { _ = await journal.attempt(of: "a", requestID: "r\(index)", in: .default) }
        #expect(await journal.attempt(of: "a", requestID: "r10000", in: .default) == 2)
        #expect(await journal.attempt(of: "a", requestID: "r1", in: .default) == 2)
        #expect(await journal.attempt(of: "a", requestID: "r0", in: .default) == 1)
    }

    @Test func `tenants do not see each other, and one is cleared alone`() async throws {
        let journal = JournalRing(capacity: 2)
        let first = try JournalSamples.tenant("first")
        let second = try JournalSamples.tenant("second")
        for index in 0..<3 {
            await journal.append(JournalSamples.entry(JournalSamples.context("a\(index)", tenant: first)))
        }
        await journal.append(JournalSamples.entry(JournalSamples.context("b", tenant: second)))
        #expect(await Self.ids(journal, first) == ["a2", "a1"])
        #expect(await Self.ids(journal, second) == ["b"])
        #expect(await journal.entries(of: first, requestID: "b").isEmpty)
        await journal.clear(first)
        #expect(
            await journal.entries(of: first, matching: JournalFilter())
                == JournalPage(items: [], dropped: 0, position: 3)
        )
        #expect(await Self.ids(journal, second) == ["b"])
        await journal.append(JournalSamples.entry(JournalSamples.context("a2", tenant: first)))
        // Attempts go on; those of a world that begins anew do not.
        #expect(await journal.entries(of: first, requestID: "a2").map(\.attempt) == [2])
        await journal.restart(first)
        #expect(
            await journal.entries(of: first, matching: JournalFilter())
                == JournalPage(items: [], dropped: 0, position: 4)
        )
        #expect(await journal.attempt(of: "tpc.getTokens", requestID: "a2", in: first) == 1)
        #expect(await Self.ids(journal, second) == ["b"])
        await journal.forget(second)
        #expect(
            await journal.entries(of: second, matching: JournalFilter())
                == JournalPage(items: [], dropped: 0, position: 0)
        )
    }

    @Test func `appends at the same time are all kept`() async throws {
        let journal = JournalRing(capacity: 1_000)
        let other = try JournalSamples.tenant("other")
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for index in 0..<200 {
                        let tenant = index % 2 == 0 ? TenantName.default : other
                        let context = JournalSamples.context("\(task)-\(index / 4)", tenant: tenant)
                        await journal.append(JournalSamples.entry(context))
                        _ = await journal.entries(of: tenant, matching: JournalFilter(limit: 1))
                    }
                }
            }
        }
        for tenant in [TenantName.default, other] {
            let page = await journal.entries(of: tenant, matching: JournalFilter(limit: 10_000))
            #expect(page.items.count == 800)
            #expect(page.dropped == 0)
            #expect(page.position == 800)
            #expect(page.items.count { $0.attempt == 1 } == 400)
            // One task's entries stay in the order it made them.
            let mine = page.items.map(\.requestID).filter { $0.hasPrefix("3-") }.reversed()
            #expect(Array(mine) == (0..<50).flatMap { ["3-\($0)", "3-\($0)"] })
        }
    }

    @Test func `that a client left is noted in its own entry, for as long as it is kept`() async throws {
        let journal = JournalRing(capacity: 20)
        func left() async -> [String] {
            let page = await journal.entries(of: .default, matching: JournalFilter())
            return page.items.filter(\.clientLeft).map(\.requestID)
        }
        var places: [JournalPlace] = []
        for number in 0..<30 {
            places.append(await journal.append(JournalSamples.entry(JournalSamples.context("r\(number)"))))
        }
        let bytes = await journal.totals.bytes
        // The first ten were pushed out.
        for number in [0, 9, 10, 17, 29] { await journal.noteClientLeft(at: places[number], of: .default) }
        #expect(await left() == ["r29", "r17", "r10"])
        #expect(await journal.totals.bytes == bytes)
        await journal.clear(.default)
        await journal.append(JournalSamples.entry(JournalSamples.context("after")))
        await journal.noteClientLeft(at: places[29], of: .default)
        #expect(await left() == [])
        // Another tenant of that name.
        await journal.forget(.default)
        for number in 0..<30 { await journal.append(JournalSamples.entry(JournalSamples.context("n\(number)"))) }
        await journal.noteClientLeft(at: places[29], of: .default)
        #expect(await left() == [])
    }
}

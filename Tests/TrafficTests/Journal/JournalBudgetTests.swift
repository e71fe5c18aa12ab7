import Core
import Testing
import Traffic
import Wire

/// The bound over all tenants together, by counters.
@Suite struct JournalBudgetTests {
    @Test func `a hundred thousand entries stay within the bounds, and the dropped are counted`() async throws {
        let journal = JournalRing(capacity: 50, totalByteLimit: 400_000)
        let tenants = try (0..<40).map { try JournalSamples.tenant("t\($0)") }
        var entry = JournalSamples.entry()
        entry.attempt = 1
        for index in 0..<100_000 {
            entry.tenant = tenants[index % tenants.count]
            await journal.append(entry)
            if index % 5_000 == 0 { #expect(await journal.totals.bytes <= 400_000) }
        }
        let totals = await journal.totals
        #expect(totals.bytes <= 400_000 && totals.bytes > 390_000)
        #expect(totals.appended == 100_000)
        #expect(totals.entries + totals.dropped == 100_000)
        var (kept, dropped) = (0, 0)
        for tenant in tenants {
            let page = await journal.entries(of: tenant, matching: JournalFilter(limit: 10_000))
            #expect(page.items.count + page.dropped == 2_500)
            kept += page.items.count
            dropped += page.dropped
        }
        #expect((kept, dropped) == (totals.entries, totals.dropped))
        for tenant in tenants { await journal.forget(tenant) }
        #expect(await journal.totals.bytes == 0)
        #expect(await journal.totals.entries == 0)
    }

    @Test func `the tenant with most bytes gives way, the others keep theirs`() async throws {
        let journal = JournalRing(totalByteLimit: 60_000)
        let small = try JournalSamples.tenant("small")
        let large = try JournalSamples.tenant("large")
        for index in 0..<5 {
            await journal.append(JournalSamples.entry(JournalSamples.context("s\(index)", tenant: small)))
        }
        let body = [UInt8](repeating: UInt8(ascii: "x"), count: 5_000)
        for index in 0..<30 {
            await journal.append(JournalSamples.entry(JournalSamples.context("l\(index)", tenant: large), body: body))
        }
        await journal.append(JournalSamples.entry(JournalSamples.context("s5", tenant: small)))
        let kept = await journal.entries(of: small, matching: JournalFilter())
        #expect(kept.items.count == 6 && kept.dropped == 0)
        let squeezed = await journal.entries(of: large, matching: JournalFilter())
        #expect(squeezed.items.first?.requestID == "l29")
        #expect(squeezed.dropped > 15 && squeezed.items.count + squeezed.dropped == 30)
        #expect(await journal.totals.bytes <= 60_000)
    }

    @Test func `attempts without entries count as well`() async throws {
        let journal = JournalRing(totalByteLimit: 50_000)
        for index in 0..<5_000 { _ = await journal.attempt(of: "a", requestID: "r\(index)", in: .default) }
        #expect(await journal.totals.bytes <= 50_000)
        #expect(await journal.attempt(of: "a", requestID: "r4999", in: .default) == 2)
        await journal.restart(.default)
        #expect(await journal.totals.bytes == 0)
        #expect(await journal.attempt(of: "a", requestID: "r4999", in: .default) == 1)
    }

    @Test func `appends and removals at the same time leave the sums right`() async throws {
        let journal = JournalRing(capacity: 30, totalByteLimit: 40_000)
        let tenants = try (0..<6).map { try JournalSamples.tenant("t\($0)") }
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<6 {
                group.addTask {
                    for index in 0..<500 {
                        let tenant = tenants[(task + index) % 6]
                        await journal.append(
                            JournalSamples.entry(JournalSamples.context("\(task)-\(index)", tenant: tenant))
                        )
                        if index % 50 == 49 { await journal.clear(tenant) }
                        if index % 60 == 59 { await journal.restart(tenant) }
                        if index % 70 == 69 { await journal.forget(tenant) }
                    }
                }
            }
        }
        #expect(await journal.totals.bytes <= 40_000)
        for tenant in tenants { await journal.forget(tenant) }
        #expect(await journal.totals.bytes == 0)
        #expect(await journal.totals.entries == 0)
    }
}

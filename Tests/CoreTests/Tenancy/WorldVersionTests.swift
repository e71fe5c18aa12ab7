import Core
import Testing
import Wire

/// What is kept of a world is good until the world changes, also when it is removed and made again.
struct WorldVersionTests {
    @Test func `the version of a world never comes twice, and a write to another one leaves it`() async throws {
        let worlds = try await TestWorlds().worlds
        let name = try #require(TenantName("again"))
        var seen: [Int64?] = []
        func note() { seen.append(worlds.version(of: name)) }
        note()
        for _ in 0..<3 {
            try await worlds.fill(name, .new, seed: 1) { _ in }
            note()
            try await worlds.write(name) { _ = $0.nextSequence() }
            note()
            #expect(try await worlds.remove(name))
            note()
            await #expect(throws: UnknownTenant(name: name)) { try await worlds.remove(name) }
        }
        #expect(Set(seen).count == seen.count)
        let other = worlds.version(of: .default)
        try await worlds.fill(name, .new, seed: 1) { _ in }
        #expect(try await worlds.remove(name) && other != nil && worlds.version(of: .default) == other)
    }

    @Test func `a write that changes nothing, is undone or rehearsed leaves the version`() async throws {
        let worlds = try await TestWorlds().worlds
        let before = worlds.version(of: .default)
        try await worlds.write(.default) { _ = try $0.store.record(Tenant.self, Tenant.recordID) }
        let undone = try await worlds.write(.default, keptIf: { $0 == 0 }) { $0.nextSequence() }
        #expect(undone > 0)
        await #expect(throws: UnknownTenant.self) {
            try await worlds.write(.default) { world in
                _ = world.nextSequence()
                throw UnknownTenant(name: .default)
            }
        }
        #expect(worlds.version(of: .default) == before)
        try await worlds.write(.default) { _ = $0.nextSequence() }
        #expect(worlds.version(of: .default) != before)
    }

    @Test func `the process that made a world has epoch 0, and each later one the next`() async throws {
        let first = try await TestWorlds()
        #expect(try await first.worlds.epoch(of: .default) == 0)
        for expected in 1..<4 as Range<Int64> {
            // The same store, as a process finds it that has just begun.
            let worlds = Worlds(store: first.store, environment: first.worlds.environment)
            for _ in 0..<2 { #expect(try await worlds.epoch(of: .default) == expected) }
            try await worlds.fill(.default, .again, seed: 1) { _ in }
            #expect(try await worlds.epoch(of: .default) == expected)
        }
        let name = try #require(TenantName("other"))
        await #expect(throws: UnknownTenant(name: name)) { try await first.worlds.epoch(of: name) }
        #expect(try await first.worlds.store.tenants() == [.default])
    }
}

import Core
import Testing
import Wire

/// What is kept of a world is good until the world changes, also when it is removed and made again.
struct GenerationsTests {
    @Test func `the number of a world never comes twice`() async throws {
        let worlds = try await TestWorlds().worlds
        let name = try #require(TenantName("again"))
        var seen: [UInt64] = []
        func note() { seen.append(worlds.generations.current(name)) }
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
        // Other worlds keep theirs.
        let other = worlds.generations.current(.default)
        try await worlds.fill(name, .new, seed: 1) { _ in }
        #expect(try await worlds.remove(name) && worlds.generations.current(.default) == other)
    }
}

import Core
import Testing
import Wire

/// What is kept of a world is good until the world changes, also when it is removed and made again.
struct GenerationsTests {
    @Test func `the number of a world never comes twice`() async throws {
        let vault = try await TestVault().vault
        let name = try #require(TenantName("again"))
        var seen: [UInt64] = []
        func note() { seen.append(vault.generations.current(name)) }
        note()
        for _ in 0..<3 {
            try await vault.fill(name, .new, seed: 1) { _ in }
            note()
            try await vault.write(name) { _ = $0.nextSequence() }
            note()
            #expect(try await vault.remove(name))
            note()
            await #expect(throws: UnknownTenant(name: name)) { try await vault.remove(name) }
        }
        #expect(Set(seen).count == seen.count)
        // Other worlds keep theirs.
        let other = vault.generations.current(.default)
        try await vault.fill(name, .new, seed: 1) { _ in }
        #expect(try await vault.remove(name) && vault.generations.current(.default) == other)
    }
}

import Core
import Testing

@Suite struct TokenHistoryTests {
    /// How many records the world has, and how long the longest is.
    private static func size(_ worlds: TestWorlds) async throws -> (records: Int, longest: Int) {
        let rows = try await worlds.worlds.everything(of: .default).rows
        return (rows.count, rows.map(\.document.count).max() ?? 0)
    }

    @Test func `no document grows with use: a change is one record more`() async throws {
        let worlds = try await TestWorlds()
        let made = try await worlds.write { world in
            let card = try world.register(Samples.cardData(), issuerID: Samples.issuerID)
            return try world.issuePass(of: card, on: world.device(), state: .active, sessionNonce: []).token
        }
        let before = try await Self.size(worlds)
        let last = try await worlds.write { world in
            var token = made
            for _ in 0..<200 {
                for event in [TokenEvent.suspend, .resume] { _ = try world.apply(event, to: &token, by: .issuer) }
            }
            return token
        }
        let after = try await Self.size(worlds)
        #expect(after.records == before.records + 400)
        #expect(after.longest == before.longest)
        let history = try await worlds.read { try $0.history(of: last) }
        #expect(history.map(\.number) == Array(1...401) && history.suffix(2).map(\.event) == ["suspend", "resume"])
        #expect(history.first?.event == "create")
    }
}

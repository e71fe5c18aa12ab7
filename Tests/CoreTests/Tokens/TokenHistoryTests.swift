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
        let (whole, end) = try await worlds.read { view in
            try (view.history(of: last), view.history(of: last, after: 399))
        }
        #expect(whole.map(\.number) == Array(1...401) && end.map(\.number) == [400, 401])
        #expect(end.map(\.event) == ["suspend", "resume"] && whole.first?.event == "create")
    }
}

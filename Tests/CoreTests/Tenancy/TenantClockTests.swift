import Core
import Testing
import Wire

/// The clock's arithmetic, and what happens while it moves.
@Suite struct TenantClockTests {
    private static let end = TenantClock.latest.milliseconds

    struct Step: CustomTestStringConvertible, Sendable {
        let start: Int64
        let step: Int64
        let end: Int64?
        var testDescription: String { "\(start) + \(step) = \(end.map(String.init) ?? "refused")" }
    }

    @Test(arguments: [
        Step(start: 0, step: 0, end: 0), Step(start: 5, step: 1, end: 6), Step(start: 5, step: -1, end: nil),
        Step(start: 0, step: 315_576_000_000, end: 315_576_000_000), Step(start: 0, step: 315_576_000_001, end: nil),
        Step(start: end, step: 0, end: end), Step(start: end, step: 1, end: nil),
        Step(start: end - 1, step: 1, end: end),
        Step(start: 0, step: .max, end: nil), Step(start: 0, step: .min, end: nil),
    ])
    func `a step leads forward within the bounds, in either mode`(_ step: Step) {
        let start = Instant(milliseconds: step.start)
        for clock in [TenantClock(mode: .frozen(start)), .running(from: start, system: testNow)] {
            let moved = clock.advanced(milliseconds: step.step, system: testNow)
            #expect(moved?.now(system: testNow).milliseconds == step.end)
        }
    }

    @Test func `a running clock stands at the end of its range, whatever the numbers are`() {
        for offset in [Int64.min, -1, 0, 1, .max] {
            for system in [Int64.min, 0, .max] {
                let now = TenantClock(mode: .system(offsetMilliseconds: offset)).now(
                    system: Instant(milliseconds: system)
                )
                #expect(TenantClock.isInBounds(now))
            }
        }
        let clock = TenantClock.running(from: TenantClock.latest, system: testNow)
        #expect(clock.now(system: testNow.adding(seconds: 60)) == TenantClock.latest)
    }

    @Test func `what is due happens in its order, each at its time, also what one event leaves to the next`()
        async throws
    {
        let worlds = try await TestWorlds()
        let (waiting, short) = try await worlds.write { world in
            let card = try world.register(Samples.cardData(), issuerID: Samples.issuerID)
            let tokens = try (0..<2).map { _ in
                try world.issuePass(of: card, on: world.device(), state: .inactive, sessionNonce: []).token
            }
            // Planned out of order, two of them for one time.
            try world.plan(.changeToken(tokens[1].tokenID, [.delete], reason: "third"), at: testNow.adding(seconds: 9))
            try world.plan(
                .changeToken(tokens[1].tokenID, [.activate], reason: "first"),
                at: testNow.adding(seconds: 3)
            )
            try world.plan(
                .changeToken(tokens[1].tokenID, [.suspend], reason: "second"),
                at: testNow.adding(seconds: 3)
            )
            return (tokens[0].tokenID, tokens[1].tokenID)
        }
        let year: Int64 = 365 * 86_400_000
        let set = try await worlds.worlds.setClock(of: .default) { clock, _, system in
            clock.advanced(milliseconds: year, system: system)
        }
        #expect(set?.reading.now == testNow.adding(milliseconds: year))
        let (tokens, due) = try await worlds.read { view in
            try (
                [waiting, short].map { try view.store.record(Token.self, $0).map(view.history) ?? [] },
                view.store.records(DueEvent.self).count
            )
        }
        #expect(tokens[0].map(\.event) == ["create", "expire"])
        #expect(tokens[0].last?.at == testNow.adding(seconds: Token.activationPeriodSeconds))
        #expect(tokens[1].compactMap(\.reason) == ["first", "second", "third"])
        #expect(tokens[1].map { $0.at.seconds - testNow.seconds } == [0, 3, 3, 9])
        #expect(due == 0)
    }

    @Test func `what an event plans takes its turn before what was planned for later`() async throws {
        // The calls to the issuer show the order in the whole world.
        let worlds = try await TestWorlds(listeners: [
            { event, _ in
                guard case .tokenChanged(let token, _) = event else { return [] }
                return [
                    CallbackContent(
                        face: "none",
                        operation: "changed",
                        issuerID: token.issuerID,
                        tokenID: token.tokenID,
                        path: "/changed"
                    ) { _ in .null }
                ]
            }
        ])
        try await worlds.write { world in
            let card = try world.register(Samples.cardData(), issuerID: Samples.issuerID)
            let tokens = try (0..<2).map { _ in
                try world.issuePass(of: card, on: world.device(), state: .active, sessionNonce: []).token
            }
            let chain: [TokenEvent] = [.suspend, .resume, .suspend]
            try world.plan(.changeToken(tokens[0].tokenID, chain, reason: ""), at: testNow.adding(seconds: 3))
            try world.plan(.changeToken(tokens[1].tokenID, [.delete], reason: ""), at: testNow.adding(seconds: 7))
        }
        _ = try await worlds.worlds.setClock(of: .default) { $0.advanced(milliseconds: 60_000, system: $2) }
        let calls = try await worlds.read { view in
            try view.store.records(Callback.self).filter { $0.createdAt > testNow }.sorted {
                ($0.callbackID.utf8.count, $0.callbackID) < ($1.callbackID.utf8.count, $1.callbackID)
            }
        }
        #expect(calls.map { $0.createdAt.seconds - testNow.seconds } == [3, 6, 7, 9])
    }

    @Test func `the document keeps every kind of event`() throws {
        let actions: [DueEvent.Action] = [
            .expireToken("token"), .changeToken("token", [.resume, .delete], reason: "scenario 2045"),
            .replaceCard("issuer/card"),
        ]
        for action in actions {
            let event = DueEvent(at: testNow, order: 7, action: action)
            #expect(try DueEvent(document: event.document) == event)
        }
        #expect(throws: RecordFault.self) {
            try DueEvent(document: [
                "at": 1, "order": 1, "action": "changeToken", "subject": "t", "events": ["no"], "reason": "",
            ])
        }
    }
}

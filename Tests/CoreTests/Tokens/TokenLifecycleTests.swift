import Core
import Testing
import Wire

@Suite struct TokenLifecycleTests {
    /// State and suspenders after the event, or the code of the refusal.
    private static func outcome(
        _ state: TokenState,
        _ suspenders: [LifecycleActor],
        _ event: TokenEvent,
        _ actor: LifecycleActor
    ) -> String {
        var lifecycle = TokenLifecycle(state: state, suspenders: suspenders)
        do throws(LifecycleFault) {
            try lifecycle.apply(event, by: actor)
        } catch {
            let unchanged = lifecycle == TokenLifecycle(state: state, suspenders: suspenders)
            return unchanged ? error.rawValue : "changed in spite of \(error.rawValue)"
        }
        return ([lifecycle.state.rawValue] + lifecycle.suspenders.map(\.rawValue)).joined(separator: " ")
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let state: TokenState
        let event: TokenEvent
        /// One outcome for every actor; `%` is the actor.
        let outcome: String

        init(_ state: TokenState, _ event: TokenEvent, _ outcome: String) {
            self.state = state
            self.event = event
            self.outcome = outcome
        }

        var testDescription: String { "\(state.rawValue), \(event.rawValue): \(outcome)" }
    }

    static let rows = [
        Row(.inactive, .activate, "active"),
        Row(.inactive, .suspend, "TOKEN_REQUIRES_ACTIVATION"),
        Row(.inactive, .resume, "TOKEN_REQUIRES_ACTIVATION"),
        Row(.inactive, .delete, "deleted"),
        Row(.inactive, .expire, "deleted"),
        Row(.active, .activate, "ALREADY_IN_REQUESTED_STATE"),
        Row(.active, .suspend, "suspended %"),
        Row(.active, .resume, "ALREADY_IN_REQUESTED_STATE"),
        Row(.active, .delete, "deleted"),
        Row(.active, .expire, "TOKEN_DOES_NOT_EXPIRE"),
        Row(.deleted, .activate, "TOKEN_DELETED"),
        Row(.deleted, .suspend, "TOKEN_DELETED"),
        Row(.deleted, .resume, "TOKEN_DELETED"),
        Row(.deleted, .delete, "ALREADY_IN_REQUESTED_STATE"),
        Row(.deleted, .expire, "ALREADY_IN_REQUESTED_STATE"),
    ]

    @Test(arguments: rows) func `a state takes an event or refuses it, whoever asks`(_ row: Row) {
        let found = LifecycleActor.allCases.map { Self.outcome(row.state, [], row.event, $0) }
        let wanted = LifecycleActor.allCases.map { row.outcome.replacing("%", with: $0.rawValue) }
        #expect(found == wanted)
    }

    @Test func `the table has every state but suspended, and every event`() {
        let pairs = Self.rows.map { "\($0.state) \($0.event)" }
        #expect(Set(pairs).count == (TokenState.allCases.count - 1) * TokenEvent.allCases.count)
    }

    struct Suspended: CustomTestStringConvertible, Sendable {
        let suspenders: [LifecycleActor]
        let event: TokenEvent
        /// By issuer, requestor, cardholder and network.
        let outcomes: [String]

        init(_ suspenders: [LifecycleActor], _ event: TokenEvent, _ outcomes: String...) {
            self.suspenders = suspenders
            self.event = event
            self.outcomes = outcomes.count == 1 ? Array(repeating: outcomes[0], count: 4) : outcomes
        }

        var testDescription: String { "by \(suspenders.map(\.rawValue).joined(separator: ", ")): \(event.rawValue)" }
    }

    private static let again = "ALREADY_IN_REQUESTED_STATE"
    private static let other = "SUSPENDED_BY_OTHER"

    @Test(arguments: [
        Suspended([.issuer], .activate, "TOKEN_SUSPENDED"),
        Suspended([.issuer, .requestor, .cardholder], .activate, "TOKEN_SUSPENDED"),
        Suspended([.cardholder], .expire, "TOKEN_DOES_NOT_EXPIRE"),
        Suspended([.issuer, .requestor, .cardholder], .delete, "deleted"),
        Suspended([.requestor], .delete, "deleted"),
        Suspended(
            [.issuer],
            .suspend,
            again,
            "suspended issuer requestor",
            "suspended issuer cardholder",
            "suspended issuer network"
        ),
        Suspended(
            [.cardholder],
            .suspend,
            "suspended cardholder issuer",
            "suspended cardholder requestor",
            again,
            "suspended cardholder network"
        ),
        Suspended([.requestor, .issuer, .cardholder, .network], .suspend, again),
        Suspended([.issuer], .resume, "active", other, other, other),
        Suspended([.requestor], .resume, other, "active", other, other),
        // For Apple Pay the issuer may lift the cardholder's suspension, never the other way round.
        Suspended([.cardholder], .resume, "active", other, "active", other),
        Suspended([.network], .resume, other, other, other, "active"),
        Suspended([.issuer, .requestor], .resume, "suspended requestor", "suspended issuer", other, other),
        Suspended([.issuer, .cardholder], .resume, "active", other, "suspended issuer", other),
        Suspended(
            [.requestor, .cardholder],
            .resume,
            "suspended requestor",
            "suspended cardholder",
            "suspended requestor",
            other
        ),
        Suspended(
            [.issuer, .requestor, .cardholder],
            .resume,
            "suspended requestor",
            "suspended issuer cardholder",
            "suspended issuer requestor",
            other
        ),
    ])
    func `each suspender lifts only its own suspension`(_ row: Suspended) {
        let found = LifecycleActor.allCases.map { Self.outcome(.suspended, row.suspenders, row.event, $0) }
        #expect(found == row.outcomes)
    }

    @Test func `a change is written into the history, a refusal is not`() async throws {
        let worlds = try await TestWorlds()
        var token = try await worlds.write { world in
            let card = try world.register(Samples.cardData(), issuerID: Samples.issuerID)
            return try world.issuePass(of: card, on: world.device(), state: .inactive, sessionNonce: []).token
        }
        var times: [Instant?] = []
        for (event, actor, reason) in [
            (TokenEvent.activate, LifecycleActor.issuer, "call" as String?), (.suspend, .cardholder, nil),
            (.suspend, .cardholder, nil),
        ] {
            try await worlds.move(to: Int64(times.count + 1) * 1_000)
            let changed = token
            let (after, fault) = try await worlds.write { world in
                var token = changed
                let fault = try world.apply(event, to: &token, by: actor, reason: reason)
                return (token, fault)
            }
            token = after
            times.append(token.activeSince)
            #expect((fault == .alreadyInState) == (times.count == 3))
        }
        let (stored, history) = try await worlds.read { [token] view in
            (try view.store.record(Token.self, token.tokenID), try view.history(of: token))
        }
        let lines = history.map { change in
            [
                change.event, change.by.rawValue, change.reason ?? "-", change.from?.rawValue ?? "-",
                change.to.rawValue, String(change.at.seconds - testNow.seconds),
            ].joined(separator: " ")
        }
        #expect(times == [testNow.adding(seconds: 1), nil, nil] && stored == token && token.changes == 3)
        #expect(
            lines == [
                "create network - - inactive 0", "activate issuer call inactive active 1",
                "suspend cardholder - active suspended 2",
            ]
        )
    }
}

extension Samples {
    static func token(_ id: String = "DNITHE123456789012345678", state: TokenState = .inactive) throws -> Token {
        try Token(
            tokenID: id,
            network: .visa,
            issuerID: issuerID,
            cardReference: "card-1",
            tokenRequestorID: TokenRequestor.appleID(at: .visa),
            holder: .device("dev-1"),
            suffix: "4242",
            expiry: expiry("1232"),
            state: state,
            at: testNow
        )
    }

    static let metadata = PassMetadata(
        issuerID: issuerID,
        network: .visa,
        bankApp: "Demo",
        appLaunchURL: "demo://verify"
    )
}

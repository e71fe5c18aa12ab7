import Core
import Testing
import Wire

@Suite struct ActivationCodeTests {
    private static let id = "DNITHE123456789012345678"
    private static let wrong = "ACTIVATION_CODE_WRONG"

    /// What the cardholder does; `right` and `wrong` type a code.
    enum Step: Sendable {
        case ask(String)
        case right
        case wrong
        case wait(milliseconds: Int64)
        case activate
    }

    /// The code of each step's refusal, or `ok`. Each step is a transaction of its own.
    private func run(_ steps: [Step]) async throws -> [String] {
        let worlds = try await TestWorlds()
        try await worlds.write { world in
            try world.register(Samples.cardData(), issuerID: Samples.issuerID)
            try world.store.put(Samples.token())
        }
        var codes: [String] = []
        for step in steps {
            if case .wait(let milliseconds) = step {
                try await worlds.move(to: milliseconds)
                continue
            }
            let check = try await worlds.write { world in try Self.take(step, world) }
            codes.append(check?.code?.name ?? "ok")
        }
        return codes
    }

    private static func take(_ step: Step, _ world: World) throws -> Check? {
        var token = try #require(try world.store.record(Token.self, id))
        let card = try #require(try world.store.record(Card.self, token.cardRecordID))
        let sent = try world.store.record(ActivationCode.self, id)?.code ?? ""
        switch step {
        case .ask(let method):
            let methods = ActivationMethod.all(card: card, metadata: Samples.metadata)
            return try world.requestCode(for: token, method: method, methods: methods)
        case .right: return try world.spendCode(sent, for: token)
        case .wrong: return try world.spendCode(sent == "000000" ? "111111" : "000000", for: token)
        case .activate: return try world.apply(.activate, to: &token, by: .cardholder).map { .failed("x", $0) }
        case .wait: return nil
        }
    }

    struct Story: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let steps: [Step]
        let codes: [String]

        init(_ name: String, _ steps: [Step], _ codes: [String]) {
            testDescription = name
            self.steps = steps
            self.codes = codes
        }
    }

    @Test(arguments: [
        Story("right code", [.ask("SMS"), .right], ["ok", "ok"]),
        Story("a code is good once", [.ask("SMS"), .right, .right], ["ok", "ok", "ACTIVATION_CODE_NOT_REQUESTED"]),
        Story("no code", [.right], ["ACTIVATION_CODE_NOT_REQUESTED"]),
        Story(
            "unknown method",
            [.ask("PIGEON"), .ask("sms")],
            ["ACTIVATION_METHOD_UNKNOWN", "ACTIVATION_METHOD_UNKNOWN"]
        ),
        Story(
            "methods without a code",
            [.ask("CUSTOMER_SERVICE"), .ask("bank_app")],
            ["ACTIVATION_METHOD_HAS_NO_CODE", "ACTIVATION_METHOD_HAS_NO_CODE"]
        ),
        Story("two wrong, then right", [.ask("SMS"), .wrong, .wrong, .right], ["ok", wrong, wrong, "ok"]),
        Story(
            "three wrong lock the method",
            [.ask("SMS"), .wrong, .wrong, .wrong, .right, .ask("SMS")],
            ["ok", wrong, wrong, wrong, "ACTIVATION_METHOD_LOCKED", "ACTIVATION_METHOD_LOCKED"]
        ),
        Story(
            "another method unlocks",
            [.ask("SMS"), .wrong, .wrong, .wrong, .ask("EMAIL"), .right, .ask("SMS"), .right],
            ["ok", wrong, wrong, wrong, "ok", "ok", "ok", "ok"]
        ),
        Story(
            "activation unlocks",
            [.ask("SMS"), .wrong, .wrong, .wrong, .activate, .ask("SMS")],
            ["ok", wrong, wrong, wrong, "ok", "ok"]
        ),
        Story(
            "a new code has no new attempts",
            [.ask("SMS"), .wrong, .wrong, .ask("SMS"), .wrong, .right],
            ["ok", wrong, wrong, "ok", wrong, "ACTIVATION_METHOD_LOCKED"]
        ),
        Story(
            "a code by another method has its own",
            [.ask("SMS"), .wrong, .wrong, .ask("EMAIL"), .wrong, .wrong, .right],
            ["ok", wrong, wrong, "ok", wrong, wrong, "ok"]
        ),
        Story("30 minutes to the millisecond", [.ask("SMS"), .wait(milliseconds: 1_800_000), .right], ["ok", "ok"]),
        Story(
            "after 30 minutes",
            [.ask("SMS"), .wait(milliseconds: 1_800_001), .right, .wrong, .ask("SMS"), .right],
            ["ok", "ACTIVATION_CODE_EXPIRED", "ACTIVATION_CODE_EXPIRED", "ok", "ok"]
        ),
    ])
    func `codes are sent, spent and locked`(_ story: Story) async throws {
        #expect(try await run(story.steps) == story.codes)
    }

    @Test func `a code has six digits, and the evidence counts what is left`() async throws {
        let worlds = try await TestWorlds()
        let (code, evidence) = try await worlds.write { world in
            try world.register(Samples.cardData(), issuerID: Samples.issuerID)
            try world.store.put(Samples.token())
            _ = try Self.take(.ask("SMS"), world)
            let code = try world.store.record(ActivationCode.self, Self.id)
            let evidence = try (0..<3).map { _ in try Self.take(.wrong, world)?.evidence }
            return (code, evidence)
        }
        #expect(code?.code.utf8.count == 6 && code?.code.allSatisfy(\.isNumber) == true)
        #expect(code?.expiresAt == testNow.adding(seconds: 1_800) && code?.attemptsLeft == 3)
        #expect(evidence == ["2 attempts left", "1 attempts left", "0 attempts left"])
    }

    @Test func `methods show masked addresses, and the app when the metadata has one`() async throws {
        let worlds = try await TestWorlds()
        let card = try await worlds.write { world in
            var data = try Samples.cardData()
            data.phone = "600123456"
            data.email = "ana@bank.test"
            return try world.register(data, issuerID: Samples.issuerID)
        }
        let plain = PassMetadata(issuerID: Samples.issuerID, network: .visa)
        let methods = ActivationMethod.all(card: card, metadata: Samples.metadata)
        #expect(
            methods.map { "\($0.id) \($0.kind.rawValue) \($0.value)" } == [
                "SMS SMS ******56", "EMAIL EMAIL a***@bank.test", "CUSTOMER_SERVICE CUSTOMER_SERVICE +1 555 0100",
                "bank_app bank_app Demo",
            ]
        )
        #expect(ActivationMethod.all(card: card, metadata: plain).map(\.id) == ["SMS", "EMAIL", "CUSTOMER_SERVICE"])
    }
}

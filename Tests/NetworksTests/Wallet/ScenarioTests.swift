import Core
import SandboxTesting
import Synchronization
import Testing
import Wire

/// Magic data: the expiry year in the request chooses what becomes of it (CONTRACT, section 1).
struct ScenarioTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let year: Int
        let way: Way
        /// `green` or `yellow`, or the codes of a refusal.
        let decision: String
        var codes: [String] = []
        var status = 201

        var testDescription: String { "\(year) \(way.rawValue)" }
    }

    /// 2047 and 2048 have tests of their own.
    static let cases: [Case] = Way.allCases.flatMap { way in
        [
            Case(year: 2041, way: way, decision: "green"), Case(year: 2042, way: way, decision: "yellow"),
            Case(year: 2043, way: way, decision: "", codes: ["CARD_NOT_ELIGIBLE"], status: 422),
            Case(year: 2044, way: way, decision: "", codes: ["ISSUER_DECLINED"], status: 422),
            Case(year: 2045, way: way, decision: "green"),
            Case(year: 2046, way: way, decision: "", codes: ["NETWORK_UNAVAILABLE"], status: 503),
            Case(year: 2049, way: way, decision: way.standard),
        ]
    }

    @Test(arguments: cases)
    func `the year decides, and is told`(_ example: Case) async throws {
        try await withSandbox { sandbox in
            try await sandbox.register(.visa)
            let phone = try await sandbox.device()
            let reply = try await sandbox.add(TestCard.visa.expiring(example.year), .visa, to: phone, example.way)
            let applied = "SCENARIO_APPLIED:\(example.year)"
            if example.status == 201 {
                #expect(
                    [String(reply.status), reply.text("decision")] == ["201", example.decision],
                    "\(reply.summary)"
                )
                #expect(reply.diagnosis == [applied])
                let state = try await sandbox.token(reply.text("tokenId")).text("state")
                #expect(state == (example.decision == "green" ? "active" : "inactive"))
            } else {
                expect(reply, wallet: example.status, example.codes + [applied])
                #expect(try await sandbox.control("GET", "/v1/tokens")["items"] == [])
            }
            let entry = try await sandbox.journal().first
            #expect(entry?["scenario"] == .string(applied))
            #expect(try await sandbox.journaled() == example.codes + [applied])
        }
    }

    @Test(arguments: Way.allCases)
    func `switched off, the years are plain far ones`(_ way: Way) async throws {
        for year in 2041...2049 {
            try await withSandbox { sandbox in
                try await sandbox.register(.visa)
                _ = try await sandbox.control("PATCH", "/v1/tenants/default", ["magicData": false])
                let phone = try await sandbox.device()
                let reply = try await sandbox.add(TestCard.visa.expiring(year), .visa, to: phone, way)
                #expect([reply.text("decision"), reply.text("tokenId").isEmpty ? "none" : ""] == [way.standard, ""])
                #expect(reply.diagnosis == [] && reply.status == 201)
                #expect(try await sandbox.journal().first?["scenario"] == nil)
                #expect(try await sandbox.journaled() == [])
                let before = try await sandbox.history(reply.text("tokenId"))
                try await sandbox.advance("60")
                #expect(try await sandbox.history(reply.text("tokenId")) == before)
                #expect(try await sandbox.control("GET", "/v1/cards/test-visa").text("panSuffix") == "1111")
            }
        }
    }

    @Test func `the year of the request counts, not that of the registered card`() async throws {
        try await withSandbox { sandbox in
            try await sandbox.register(TestCard.visa.expiring(2043))
            let phone = try await sandbox.device()
            let typed = try await sandbox.manualEntry(phone, .visa, .visa)
            #expect([typed.text("decision"), typed.diagnosis.first] == ["yellow", nil])
            try await sandbox.register(TestCard.amex)
            let magic = try await sandbox.manualEntry(phone, TestCard.amex.expiring(2041), .amex)
            #expect(magic.text("decision") == "green")
            #expect(try await sandbox.control("GET", "/v1/cards/test-amex").text("expiryDate") == "1232")
        }
    }

    @Test func `a card that is there already asks for no decision and applies nothing`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let made = try await sandbox.provision(phone, .visa, .visa)
            for year in 2041...2049 {
                let again = try await sandbox.provision(phone, TestCard.visa.expiring(year), .visa)
                #expect([String(again.status), again.text("tokenId")] == ["200", made.text("tokenId")])
                #expect(again.diagnosis == [])
            }
            try await sandbox.advance("60")
            #expect(try await sandbox.state(made.text("tokenId")) == "active")
        }
    }

    @Test func `magic data speaks before blocked cards and bad activation data`() async throws {
        try await withSandbox { sandbox in
            let bad: JSON = "e30="
            for (year, status) in [(2041, 201), (2042, 201), (2043, 422), (2032, 422)] {
                let card = TestCard("test-\(year)", pan: "4761730000000011").expiring(year)
                let begun = try await Provisioning.begin(sandbox, card: card)
                let body = try await begun.triple().replacing("activationData", bad)
                let reply = try await begun.post(body)
                #expect(reply.status == status, "\(year) \(reply.summary)")
                if year == 2043 {
                    expect(reply, wallet: 422, ["CARD_NOT_ELIGIBLE", "SCENARIO_APPLIED:2043"])
                    // What is wrong with the value is told all the same.
                    #expect(try await sandbox.journaled().count > 2)
                }
                if year == 2032 { #expect(reply.diagnosis.last == "ACTIVATION_DATA_REFUSED") }
                _ = try await sandbox.control("POST", "/v1/tenants/default/reset")
            }
            try await sandbox.register(.visa)
            _ = try await sandbox.control("POST", "/v1/cards/test-visa/events", ["event": "block"])
            let phone = try await sandbox.device()
            expect(try await sandbox.manualEntry(phone, .visa, .visa), wallet: 422, ["CARD_BLOCKED"])
            let green = try await sandbox.manualEntry(phone, TestCard.visa.expiring(2041), .visa)
            #expect(green.text("decision") == "green")
        }
    }

    @Test func `2045 lives its life 3 s apart, seen step by step or all at once`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let slow = try await sandbox.provision(phone, TestCard.visa.expiring(2045), .visa).text("tokenId")
            var states: [String] = []
            for step in ["2.999", "0.001", "3", "3"] {
                try await sandbox.advance(step)
                states.append(try await sandbox.state(slow))
            }
            #expect(states == ["active", "suspended issuer", "active", "deleted"])
            let fast = try await sandbox.provision(phone, TestCard.amex.expiring(2045), .amex).text("tokenId")
            try await sandbox.advance("3600")
            let wanted = [
                "create network active", "suspend issuer suspended", "resume issuer active", "delete issuer deleted",
            ]
            for (token, start) in [(slow, 0), (fast, 9)] {
                let times = wanted.enumerated().map { "\($1) \(start + 3 * $0)" }
                #expect(try await sandbox.history(token) == times)
            }
            let reasons = try await sandbox.token(slow)["history"].array?.compactMap { $0["reason"]?.string }
            #expect(reasons == ["scenario 2045", "scenario 2045", "scenario 2045"])
        }
    }

    @Test func `2046 spends neither session nor code, and leaves nothing`() async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox, card: TestCard.visa.expiring(2046))
            let triple = try await begun.triple()
            let reply = try await begun.post(triple)
            expect(reply, wallet: 503, ["NETWORK_UNAVAILABLE", "SCENARIO_APPLIED:2046"])
            #expect(reply.header("retry-after") == "1")
            _ = try await sandbox.control("PATCH", "/v1/tenants/default", ["magicData": false])
            #expect(try await begun.post(triple).status == 201)
        }
    }

    @Test(arguments: Way.allCases)
    func `2047 answers after 5 s of real time, a refusal too`(_ way: Way) async throws {
        let slept = Mutex<[Int64]>([])
        try await withSandbox(configure: { _ in }, sleep: { time in slept.withLock { $0.append(time) } }) { sandbox in
            try await sandbox.register(.visa)
            let phone = try await sandbox.device()
            let card = TestCard.visa.expiring(2047)
            let made = try await sandbox.add(card, .visa, to: phone, way)
            #expect([made.text("decision"), made.diagnosis.first] == [way.standard, "SCENARIO_APPLIED:2047"])
            #expect(slept.withLock { $0 } == [5_000])
            #expect(try await sandbox.add(card, .visa, to: phone, way).status == 200)
            #expect(slept.withLock { $0 } == [5_000])
            _ = try await sandbox.control("POST", "/v1/cards/test-visa/events", ["event": "block"])
            let watch = try await sandbox.device("watch")
            let refused = try await sandbox.add(card, .visa, to: watch, way)
            expect(refused, wallet: 422, ["CARD_BLOCKED", "SCENARIO_APPLIED:2047"])
            #expect(slept.withLock { $0 } == [5_000, 5_000])
        }
    }

    @Test(arguments: Way.allCases)
    func `2048 makes the token and the client hears nothing`(_ way: Way) async throws {
        try await withSandbox { sandbox in
            try await sandbox.register(.visa)
            let phone = try await sandbox.device()
            let card = TestCard.visa.expiring(2048)
            await #expect(throws: TestDeliveryFault.empty) { _ = try await sandbox.add(card, .visa, to: phone, way) }
            let tokens = try await sandbox.control("GET", "/v1/tokens")["items"].array ?? []
            #expect(tokens.map { $0["state"]?.string } == [way == .pass ? "active" : "inactive"])
            #expect(try await sandbox.journaled() == ["SCENARIO_APPLIED:2048"])
            // The second try finds the card there.
            #expect(try await sandbox.add(card, .visa, to: phone, way).status == 200)
        }
    }

    @Test func `with the header switched off only the journal tells`() async throws {
        try await withSandbox { sandbox in
            _ = try await sandbox.control("PATCH", "/v1/tenants/default", ["diagnosisHeader": false])
            let made = try await sandbox.provision(try await sandbox.device(), TestCard.visa.expiring(2041), .visa)
            #expect([String(made.status), made.header("x-sandbox-diagnosis") ?? "none"] == ["201", "none"])
            #expect(try await sandbox.journaled() == ["SCENARIO_APPLIED:2041"])
        }
    }
}

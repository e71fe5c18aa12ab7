import Core
import SandboxTesting
import Testing
import Wire

/// What is registered of a card decides about a new token: its expiry, unless pass data, the issuer's word, renews it (what a
/// cardholder types does not), and its state.
struct RegisteredCardTests {
    private func sandbox(_ body: (TestSandbox, String) async throws -> Void) async throws {
        try await withSandbox { sandbox in
            var old = TestCard.visa
            old.exp = "1129"
            try await sandbox.register(old)
            try await body(sandbox, try await sandbox.device())
        }
    }

    @Test func `pass data with a new expiry makes a token and brings the card up to date`() async throws {
        try await sandbox { sandbox, phone in
            let begun = try await Provisioning.begin(sandbox, on: phone)
            #expect(try await sandbox.control("GET", "/v1/cards/test-visa").text("expiryDate") == "1129")
            let made = try await sandbox.send(begun, expiry: "12/32")
            #expect([String(made.status), made.text("decision")] == ["201", "yellow"], "\(made.summary)")
            #expect(try await sandbox.control("GET", "/v1/cards/test-visa").text("expiryDate") == "1232")
        }
    }

    @Test func `pass data that brings an expiry that is over is red`() async throws {
        try await sandbox { sandbox, phone in
            let begun = try await Provisioning.begin(sandbox, on: phone)
            expect(try await sandbox.send(begun, expiry: "11/29"), wallet: 422, ["CARD_EXPIRED"])
        }
    }

    @Test func `a number that is blocked under one reference is red under another`() async throws {
        try await withSandbox { sandbox in
            try await sandbox.register(.visa)
            let other = TestCard("test-other", pan: TestCard.visa.pan)
            try await sandbox.register(other)
            func block(_ event: JSON) async throws {
                let path = "/v1/cards/test-visa/events"
                #expect(try await sandbox.control("POST", path, ["event": event]).status == 200)
            }
            try await block("block")
            let begun = try await Provisioning.begin(sandbox, card: other)
            let triple = try await begun.triple()
            expect(try await begun.post(triple), wallet: 422, ["CARD_BLOCKED"])
            try await block("unblock")
            #expect(try await begun.post(triple).status == 201)
        }
    }

    @Test func `a closed reference does not speak for one that lives`() async throws {
        try await withSandbox { sandbox in
            try await sandbox.register(.visa)
            try await sandbox.register(TestCard("test-other", pan: TestCard.visa.pan))
            let path = "/v1/cards/test-visa/events"
            #expect(try await sandbox.control("POST", path, ["event": "close"]).status == 200)
            let made = try await sandbox.manualEntry(try await sandbox.device(), .visa, .visa)
            #expect(made.status == 201, "\(made.summary)")
        }
    }

    @Test func `a typed expiry does not renew the card`() async throws {
        try await sandbox { sandbox, phone in
            let typed = try await sandbox.manualEntry(phone, .visa, .visa)
            expect(typed, wallet: 422, ["CARD_EXPIRED"])
        }
    }
}

extension TestSandbox {
    /// Pass data as a direct-PassKit backend makes it (TPC would bring the card up to date by itself), with activation data that the issuer's policy overlooks.
    fileprivate func send(_ begun: Provisioning, expiry: JSON) async throws -> TestReply {
        try await changePolicies("DEMOBANK01", ["onBadActivationData": "yellow"])
        let text = begun.passDataText.replacing("expiration", expiry).text
        return try await begun.post(Provisioning.body("e30=", try begun.seal(text)))
    }
}

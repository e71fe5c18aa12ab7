import Core
import SandboxTesting
import Testing
import Wire

/// A registered card whose expiry is over: pass data is the issuer's word and renews it, what a cardholder types is not.
struct RegisteredExpiryTests {
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
            // TPC's answer for another reference would update the card itself, so that the backend makes its own.
            let keys = try await sandbox.control("GET", "/v1/cards/test-visa")
            #expect(keys.text("expiryDate") == "1129")
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

    @Test func `a typed expiry does not renew the card`() async throws {
        try await sandbox { sandbox, phone in
            let typed = try await sandbox.manualEntry(phone, .visa, .visa)
            expect(typed, wallet: 422, ["CARD_EXPIRED"])
        }
    }
}

extension TestSandbox {
    /// A direct-PassKit backend's pass data, with activation data that the issuer's policy overlooks.
    fileprivate func send(_ begun: Provisioning, expiry: JSON) async throws -> TestReply {
        try await changePolicies("DEMOBANK01", ["onBadActivationData": "yellow"])
        let text = begun.passDataText.replacing("expiration", expiry).text
        return try await begun.post(Provisioning.body("e30=", try begun.seal(text)))
    }
}

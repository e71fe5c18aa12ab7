import Core
import SandboxTesting
import Testing
import Wire

/// A yellow token waits 30 days for activation (DESIGN, section 5).
struct ActivationPeriodTests {
    private let period = Token.activationPeriodSeconds

    @Test
    func `an inactive token is gone when its period is over, at the time it was over`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let tokenID = try await yellow(sandbox, phone)
            sandbox.clock.advance(seconds: period - 1)
            #expect(try await sandbox.token(tokenID)["state"] == "inactive")
            sandbox.clock.advance(seconds: 3_600)
            // The library is a read: what is due has happened for it too.
            #expect(try await sandbox.passes(phone)["localPasses"] == [])
            let token = try await sandbox.token(tokenID)
            let last = token["history"].array?.last ?? .null
            #expect(token["state"] == "deleted")
            #expect(last["event"] == "expire")
            #expect(last["at"] == "2030-01-31T00:00:00Z")
        }
    }

    @Test
    func `a token that was activated stays`() async throws {
        try await withSandbox { sandbox in
            let tokenID = try await yellow(sandbox, try await sandbox.device())
            #expect(try await sandbox.updateTokenState(tokenID, .mastercard, "Activate").status == 200)
            sandbox.clock.advance(seconds: period + 3_600)
            #expect(try await sandbox.token(tokenID)["state"] == "active")
        }
    }

    private func yellow(_ sandbox: TestSandbox, _ phone: String) async throws -> String {
        let card = TestCard.mastercard
        _ = try await sandbox.control(
            "POST",
            "/v1/cards",
            card.json.replacing("fpan", nil).replacing("pan", .string(card.pan)).replacing("issuerId", "DEMOBANK01")
        )
        return try await sandbox.manualEntry(phone, card, .mastercard)["tokenId"].string ?? ""
    }
}

import Core
import SandboxTesting
import Testing
import Wire

/// `extension-status` is answered from memory, and still sees what a world does by itself.
struct PlannedChangeTests {
    @Test func `a card is offered again when its token's activation period is over`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            _ = try await sandbox.configure(phone, [("card-visa", "2718")])
            let body: JSON = [
                "issuerCardRefId": "card-visa", "issuerId": "DEMOBANK01", "network": "visa",
                "deviceId": .string(phone), "application": .string(TestSandbox.application), "state": "inactive",
            ]
            let made = try await sandbox.control("POST", "/v1/tokens", body)
            try #require(made.status == 201, "\(made.summary)")
            var offered: [JSON] = []
            for step in [0, 0, Token.activationPeriodSeconds - 1, 1, 0] {
                // The system's clock: nothing else touches the world.
                sandbox.clock.advance(seconds: step)
                offered.append(try await sandbox.status(phone)["passEntriesAvailable"])
            }
            #expect(offered == [false, false, false, true, true])
        }
    }
}

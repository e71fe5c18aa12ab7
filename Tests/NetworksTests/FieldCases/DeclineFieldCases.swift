import Core
import SandboxTesting
import Testing
import Wire

/// Row 3 of `field-cases.md`: what the app sees of a decline, and where the upstream reason is.
struct DeclineFieldCases {
    @Test func `row 3: a decline is not a 500, and the journal tells why by request id`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let session = try await sandbox.session(phone, TestCard.mastercard.expiring(2044), .mastercard)
            let begun = Provisioning(
                sandbox: sandbox,
                session: session,
                card: TestCard.mastercard.expiring(2044),
                network: .mastercard
            )
            let body = try await begun.triple()
            let headers = [("x-request-id", "app-17"), ("content-type", "application/json")]
            let reply = try await sandbox.send(.api, "POST", begun.passPath, body.bytes, headers)
            expect(reply, wallet: 422, ["ISSUER_DECLINED", "SCENARIO_APPLIED:2044"])
            let entry = try await sandbox.control("GET", "/v1/journal/app-17")["items"].array?.first
            #expect(entry?["status"] == 422)
            #expect(entry?["scenario"] == "SCENARIO_APPLIED:2044")
            let told = entry?["checks"]?.array?.first { $0["code"] == "ISSUER_DECLINED" }
            #expect([told?["name"], told?["evidence"]] == ["decision", "scenario 2044"])
        }
    }
}

import Core
import SandboxTesting
import Testing
import Wire

/// The check digit of a number that the wallet is given: by the issuer's strictness, else by the tenant's.
struct WalletStrictnessTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let tenant: Strictness
        let issuer: Strictness?

        var isStrict: Bool { (issuer ?? tenant) == .strict }
        var testDescription: String { "\(tenant.rawValue) \(issuer?.rawValue ?? "–")" }

        static let all = Strictness.allCases.flatMap { tenant in
            ([nil] + Strictness.allCases).map { Row(tenant: tenant, issuer: $0) }
        }
    }

    /// Mastercard's own sample, whose check digit is wrong.
    private static let card = TestCard("test-luhn", pan: "5123456789012345")

    @Test(arguments: Row.all)
    func `the narrowest decides for pass data and for typed cards`(_ row: Row) async throws {
        try await withSandbox { sandbox in
            // Registered while nobody minds, so that the number has an issuer.
            try await sandbox.register(Self.card)
            try await sandbox.changePolicies(
                "DEMOBANK01",
                ["strictness": row.issuer.map { .string($0.rawValue) } ?? .null, "onBadActivationData": "yellow"]
            )
            try await sandbox.strictness(row.tenant.rawValue)
            let begun = try await Provisioning.begin(sandbox, .mastercard, card: Self.card)
            let data = Provisioning.body("e30=", try begun.seal(begun.passDataText.text))
            let typed = try await sandbox.manualEntry(try await sandbox.device(), Self.card, .mastercard)
            for (reply, status) in [(try await begun.post(data), 422), (typed, 400)] {
                if row.isStrict {
                    #expect(reply.diagnosis == ["PAN_LUHN"], "\(reply.summary)")
                    #expect([status, 422].contains(reply.status))
                } else {
                    #expect(reply.status == 201, "\(reply.summary)")
                }
            }
        }
    }
}

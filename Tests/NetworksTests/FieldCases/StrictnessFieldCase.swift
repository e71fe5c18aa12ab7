import Core
import Crypto
import SandboxTesting
import Testing
import Wire

/// Field case 74: validation can be loosened and tightened, and nothing else changes with it.
struct StrictnessFieldCase {
    /// The world but for the tenant's own row, which holds the setting.
    private func world(_ sandbox: TestSandbox) async throws -> [String] {
        try await sandbox.records().filter { !$0.hasPrefix("tenant ") }
    }

    /// What clients see of the state.
    private func seen(_ sandbox: TestSandbox, _ deviceID: String) async throws -> [String] {
        let lists = [
            try await sandbox.control("GET", "/v1/tokens"), try await sandbox.control("GET", "/v1/cards"),
            try await sandbox.passes(deviceID),
        ]
        return lists.map(\.text)
    }

    @Test func `row 74: changing the strictness changes no state, of tenant, issuer or key`() async throws {
        try await withSandbox { sandbox in
            let deviceID = try await sandbox.device()
            _ = try await sandbox.green(deviceID, .visa)
            _ = try await sandbox.yellow(deviceID, .mastercard)
            let (before, shown) = (try await world(sandbox), try await seen(sandbox, deviceID))
            for word in ["strict", "lenient", "documented"] {
                try await sandbox.strictness(word)
                #expect(try await world(sandbox) == before)
                try await sandbox.changePolicies("DEMOBANK01", ["strictness": .string(word)])
                let changed = zip(try await world(sandbox), before).filter { $0 != $1 }
                #expect(changed.allSatisfy { $0.0.hasPrefix("issuer ") })
                #expect(try await seen(sandbox, deviceID) == shown)
                try await sandbox.changePolicies("DEMOBANK01", ["binding": "mandatory"])
            }
            #expect(try await world(sandbox) == before)
        }
    }

    @Test func `row 74: what lenient accepts is a warning in the journal, what the others refuse changes nothing`()
        async throws
    {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox)
            let good = try sandbox.passRequest(begun.session, begun.card, .visa)
            let der = try Hex.decode(good["encryptedPayload"]?.string ?? "")
            let code = try TestIssuer(sandbox).code(sub: begun.card.reference, changes: [("jti", "one-code")])
            let bent = good.replacing("encryptedPayload", .string(Base64.encode(der)))
                .replacing("authorizationCode", .string(code))
            let before = try await world(sandbox)
            for word in ["documented", "strict"] {
                try await sandbox.strictness(word)
                expect(try await sandbox.tpc("generateAddPaymentPassRequest", bent), tpc: 112, ["ENC_BASE64"])
                #expect(try await world(sandbox) == before)
            }
            try await sandbox.strictness("lenient")
            let accepted = try await sandbox.tpc("generateAddPaymentPassRequest", bent)
            #expect(accepted.status == 200, "\(accepted.summary)")
            let entry = try await sandbox.journal().first
            #expect(entry?["diagnosis"]?.array == ["ENC_BASE64"])
            let told = try await sandbox.judged().filter { $0.code == "ENC_BASE64" }
            #expect(told.count == 1 && told.allSatisfy { $0.passed && !$0.evidence.isEmpty && !$0.hint.isEmpty })
            // What was made is the same as a good request makes, and stays when the rules tighten.
            let made = try await world(sandbox)
            #expect(made.count == before.count + 2)
            try await sandbox.strictness("strict")
            #expect(try await world(sandbox) == made)
            expect(
                try await sandbox.tpc(
                    "generateAddPaymentPassRequest",
                    good.replacing("authorizationCode", .string(code))
                ),
                tpc: 401,
                ["JWT_JTI_REPLAYED"]
            )
            #expect(try await begun.post(accepted.json).status == 201)
        }
    }
}

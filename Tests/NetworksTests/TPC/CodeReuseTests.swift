import Core
import SandboxTesting
import Testing
import Wire

/// `jti`: spent by the request that goes through, and by no other.
struct CodeReuseTests {
    private static let generate = "generateAddPaymentPassRequest"

    private func request(_ sandbox: TestSandbox, _ begun: Provisioning, jti: JSON) throws -> JSON {
        let code = try TestIssuer(sandbox).code(sub: begun.card.reference, changes: [("jti", jti)])
        return try sandbox.passRequest(begun.session, begun.card, begun.network)
            .replacing("authorizationCode", .string(code))
    }

    @Test func `a refused request may be sent again, a committed one not`() async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox)
            let body = try request(sandbox, begun, jti: "code-1")
            expect(try await sandbox.tpc(Self.generate, body.without("nonce")), tpc: 111, ["NONCE_MISSING"])
            #expect(try await sandbox.tpc(Self.generate, body).status == 200)
            expect(try await sandbox.tpc(Self.generate, body), tpc: 401, ["JWT_JTI_REPLAYED"])
            // Told beside other mistakes too.
            let both = try await sandbox.tpc(Self.generate, body.without("nonce"))
            expect(both, tpc: 111, ["NONCE_MISSING", "JWT_JTI_REPLAYED"])
        }
    }

    @Test func `without jti a code is good until it expires`() async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox)
            let body = try request(sandbox, begun, jti: .null)
            for _ in 0..<2 { #expect(try await sandbox.tpc(Self.generate, body).status == 200) }
            sandbox.clock.advance(seconds: 361)
            expect(try await sandbox.tpc(Self.generate, body), tpc: 401, ["JWT_EXPIRED"])
        }
    }

    @Test func `a jti is spent for every operation of its issuer, and for no other issuer`() async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox)
            #expect(try await sandbox.tpc(Self.generate, try request(sandbox, begun, jti: "one")).status == 200)
            let token = try await sandbox.yellow(try await sandbox.device(), .amex).tokenID
            let code = try TestIssuer(sandbox).code(sub: token, changes: [("jti", "one")])
            let changes: [(String, JSON)] = [("authorizationCode", .string(code))]
            let replayed = try await sandbox.updateTokenState(token, .amex, "Activate", changes: changes)
            expect(replayed, tpc: 401, ["JWT_JTI_REPLAYED"])
            #expect(try await sandbox.state(token) == "inactive")

            let other = TestIssuer(sandbox, "DEMOBANK02")
            let card = TestCard("other-visa", pan: "4242424242424242")
            let session = try await sandbox.session(try await sandbox.device(), card, .visa)
            let body = try sandbox.passRequest(session, card, .visa, issuer: other).replacing(
                "authorizationCode",
                .string(try other.code(sub: card.reference, changes: [("jti", "one")]))
            )
            #expect(try await sandbox.tpc(Self.generate, body, issuerID: "DEMOBANK02").status == 200)
        }
    }

    @Test func `a refused transition does not spend the code`() async throws {
        try await withSandbox { sandbox in
            let token = try await sandbox.green(try await sandbox.device(), .visa).tokenID
            let code = try TestIssuer(sandbox).code(sub: token, changes: [("jti", "step")])
            let changes: [(String, JSON)] = [("authorizationCode", .string(code))]
            let refused = try await sandbox.updateTokenState(token, .visa, "Activate", changes: changes)
            expect(refused, tpc: 432, ["ALREADY_IN_REQUESTED_STATE"])
            #expect(try await sandbox.updateTokenState(token, .visa, "Suspend", changes: changes).status == 200)
            let replayed = try await sandbox.updateTokenState(token, .visa, "Resume", changes: changes)
            expect(replayed, tpc: 401, ["JWT_JTI_REPLAYED"])
        }
    }

    @Test func `two equal requests at once, and one goes through`() async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox)
            let body = try request(sandbox, begun, jti: "race")
            let statuses = try await withThrowingTaskGroup { group in
                for _ in 0..<8 { group.addTask { try await sandbox.tpc(Self.generate, body).status } }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(statuses.sorted() == [200] + [Int](repeating: 401, count: 7))
        }
    }
}

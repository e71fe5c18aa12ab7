import Core
import SandboxTesting
import Testing
import Wire

/// An issuer that is changed while a request is checked with it.
struct OutrunTests {
    /// What a request with the issuer as it was would have got, and one that is outrun again and again.
    @Test(arguments: [(1, 200, 0), (3, 200, 0), (4, 503, 1)])
    func `a request whose issuer changes meanwhile is checked again`(
        _ changes: Int,
        _ status: Int,
        _ refusals: Int
    ) async throws {
        let race = TestRace()
        try await withSandbox(configure: { _ in }, store: race.under) { sandbox in
            let device = try await sandbox.device()
            let session = try await sandbox.session(device, .visa, .visa)
            let request = try sandbox.passRequest(session, .visa, .visa)
            let path = "/mg/tpc/DEMOBANK01/generateAddPaymentPassRequest"
            func checks() async throws -> [String] {
                let entry = try await sandbox.control("GET", "/v1/journal?limit=1")["items"].array?.first
                return entry?["checks"]?.array?.map { "\($0["name"]?.string ?? "") \($0["code"]?.string ?? "")" } ?? []
            }
            // The first registers the card.
            for _ in 0..<2 { #expect(try await sandbox.api("POST", path, request).status == 200) }
            let calm = try await checks()
            race.run(changes) { writer in
                guard var issuer = try writer.record(Issuer.self, "DEMOBANK01") else { return }
                issuer.name += "!"
                try writer.put(issuer)
            }
            let reply = try await sandbox.api("POST", path, request)
            #expect(reply.status == status)
            #expect(race.isOver)
            // Each check is told once, whatever number of runs it took.
            let told = try await checks()
            #expect(told == calm + (0..<refusals).map { _ in "issuer ISSUER_CHANGED" })
        }
    }

    @Test func `a key that is taken away meanwhile refuses, by the issuer as it is now`() async throws {
        let race = TestRace()
        try await withSandbox(configure: { _ in }, store: race.under) { sandbox in
            let device = try await sandbox.device()
            let session = try await sandbox.session(device, .visa, .visa)
            let request = try sandbox.passRequest(session, .visa, .visa)
            race.run(1) { writer in
                guard var issuer = try writer.record(Issuer.self, "DEMOBANK01") else { return }
                issuer.verificationKeys.removeAll()
                try writer.put(issuer)
            }
            let reply = try await sandbox.api("POST", "/mg/tpc/DEMOBANK01/generateAddPaymentPassRequest", request)
            #expect(reply.status == 401)
            #expect(!reply.diagnosis.contains("ISSUER_CHANGED"))
        }
    }
}

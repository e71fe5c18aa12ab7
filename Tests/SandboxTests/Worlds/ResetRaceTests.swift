import Core
import Dispatch
import Sandbox
import SandboxTesting
import Testing
import Traffic
import Wire

/// A reset while requests run: nothing of the world before comes into the one after.
struct ResetRaceTests {
    /// Runs `body` while the store does nothing, and lets the store go on when `body` ends.
    private func holdingStore(_ sandbox: TestSandbox, _ body: () async throws -> Void) async throws {
        let (held, free) = (AsyncStream<Void>.makeStream(), DispatchSemaphore(value: 0))
        let holder = Task {
            try await sandbox.application.worlds.write(.default) { _ in
                held.continuation.finish()
                free.wait()
            }
        }
        for await _ in held.stream {}
        do {
            try await body()
        } catch {
            free.signal()
            throw error
        }
        free.signal()
        try await holder.value
    }

    @Test func `a request that read the world before a reset does not write into the one after`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let session = try await sandbox.session(phone, .visa, .visa)
            let body = try sandbox.passRequest(session, .visa, .visa)
            let path = "/mg/tpc/DEMOBANK01/generateAddPaymentPassRequest"
            var begun: [Task<Int, any Error>] = []
            try await holdingStore(sandbox) {
                begun.append(Task { try await sandbox.api("POST", path, body).status })
                // So that its first look at the world waits for the store, and the reset comes after it.
                for _ in 0..<1_000 { await Task.yield() }
                begun.append(Task { try await sandbox.control("POST", "/v1/tenants/default/reset").status })
                for _ in 0..<1_000 { await Task.yield() }
            }
            for task in begun { #expect(try await task.value == 200) }
            // It registered its card in the world that is gone, and stands in no journal.
            #expect(try await sandbox.control("GET", "/v1/cards/test-visa").status == 404)
            #expect(try await sandbox.control("GET", "/v1/journal")["items"] == [])
            #expect(try await sandbox.device() == phone)
        }
    }

    @Test func `a tenant that is made and removed over and over leaves nothing running`() async throws {
        try await withSandbox { sandbox in
            for _ in 0..<5 {
                _ = try await sandbox.api("GET", "/t/again/wallet/apple/devices")
                _ = try await sandbox.api("POST", "/t/again/mg/tpc/DEMOBANK01/getTokens", [:])
                _ = try await sandbox.api("GET", "/t/again/nothing")
                // A request that is not counted as ended would hold up the removal for as long as its patience.
                let name = try #require(TenantName("again"))
                let context = try #require(sandbox.application.api.tenants.known(name))
                #expect(!context.hasRequests)
                #expect(try await sandbox.control("DELETE", "/v1/tenants/again").status == 204)
            }
        }
    }
}

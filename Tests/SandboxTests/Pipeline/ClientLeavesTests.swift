import Core
import Sandbox
import SandboxTesting
import Testing
import Web
import Wire

/// Clients that leave before they are answered: the work stops, the world stays whole, the journal says so.
struct ClientLeavesTests {
    private static let device = HTTPRequest(
        method: .post,
        target: "/wallet/apple/devices",
        headers: HTTPHeaders([(.contentType, "application/json"), (.requestID, "left")]),
        body: Array(#"{"kind":"phone"}"#.utf8)
    )

    private func entry(_ sandbox: TestSandbox) async throws -> JSON {
        try await sandbox.control("GET", "/v1/journal/left")["items"].array?.first ?? .null
    }

    private func order(_ sandbox: TestSandbox, _ effect: String) async throws {
        let body = #"{"match":{"operation":"wallet.createDevice"},"effect":\#(effect)}"#
        let reply = try await sandbox.control("POST", "/v1/faults", body: body)
        try #require(reply.status == 201, "\(reply.summary)")
    }

    @Test(arguments: [
        (#"{"delay":{"fixedMs":60000}}"#, false), (#"{"commitThen":{"delay":{"fixedMs":60000}}}"#, true),
    ])
    func `a client that leaves within a delay`(_ effect: String, _ isStored: Bool) async throws {
        let sleeps = TestSleeps(areEndless: true)
        try await withSandbox(configure: { _ in }, sleep: sleeps.sleep) { sandbox in
            try await order(sandbox, effect)
            let before = try await sandbox.records()
            let request = Task { await sandbox.application.api.respond(to: Self.device) }
            while sleeps.noted.isEmpty { await Task.yield() }
            request.cancel()
            _ = await request.value
            let after = try await sandbox.records()
            #expect((after == before) == !isStored)
            #expect(
                after.count { $0.hasPrefix("device ") } == before.count { $0.hasPrefix("device ") } + (isStored ? 1 : 0)
            )
            let seen = try await entry(sandbox)
            #expect([seen["clientLeft"], seen["status"]] == [true, isStored ? 201 : 0])
            // The next one is served as if nothing had been.
            _ = try await sandbox.control("DELETE", "/v1/faults")
            #expect(try await sandbox.api("POST", "/wallet/apple/devices", body: #"{"kind":"phone"}"#).status == 201)
        }
    }

    @Test(arguments: [#"{"connection":"stall"}"#, #"{"commitThen":{"connection":"stall"}}"#])
    func `a client that leaves a stall`(_ effect: String) async throws {
        try await withSandbox { sandbox in
            try await order(sandbox, effect)
            var impatient = sandbox
            impatient.patience = 0.3
            await #expect(throws: TestDeliveryFault.stalled) {
                try await impatient.send(.api, "POST", Self.device.target, Self.device.body, [("x-request-id", "left")])
            }
            // Over a socket the server learns of it some moments later.
            while try await entry(sandbox)["clientLeft"] != true { await Task.yield() }
            #expect(try await entry(sandbox)["fault"]?.string != nil)
        }
    }

    @Test func `a client that is answered did not leave`() async throws {
        try await withSandbox { sandbox in
            try await order(sandbox, #"{"dribble":{"bytes":64,"everyMs":1}}"#)
            let reply = try await sandbox.send(
                .api,
                "POST",
                Self.device.target,
                Self.device.body,
                [("x-request-id", "left")]
            )
            #expect(reply.status == 201)
            #expect(try await entry(sandbox)["clientLeft"] == nil)
        }
    }
}

import Sandbox
import SandboxTesting
import Testing
import Transport
import Web
import Wire

/// The control port's bounds, over a socket.
struct ControlBoundTests {
    @Test func `a body over 1 MiB is refused, counted, and one of 1 MiB is read`() async throws {
        EventLoop.ignoreBrokenPipes()
        var configuration = SandboxConfiguration()
        (configuration.port, configuration.controlPort, configuration.store) = (0, 0, .memory)
        configuration.fixturesFolder = packageRoot + "/fixtures"
        configuration.keysFolder = packageRoot + "/keys"
        let now = Instant(seconds: 1_893_456_000)
        let platform = SandboxApplication.Platform(now: { now }, newSeed: { 1 }, log: .none)
        let server = try await SandboxServer.start(configuration, platform)
        let loop = try EventLoop()
        let client = try HTTPClient(loop: loop)
        let origin = try #require(HTTPOrigin(url: server.controlURL))
        func send(_ method: HTTPMethod, _ target: String, bytes: Int) async throws -> HTTPResponse {
            let request = HTTPRequest(
                method: method,
                target: target,
                headers: HTTPHeaders([(.contentType, "application/json")]),
                body: [UInt8](repeating: 0x20, count: bytes)
            )
            return try await client.call(request, at: origin, timeoutSeconds: 20)
        }
        let large = try await send(.post, "/v1/cards", bytes: (1 << 20) + 1)
        #expect(large.status == 413 && large.headers[.sandboxDiagnosis] == "BODY_TOO_LARGE")
        let whole = try await send(.post, "/v1/cards", bytes: 1 << 20)
        #expect(whole.status == 400)
        let text = String(decoding: try await send(.get, "/metrics", bytes: 0).body, as: UTF8.self)
        #expect(text.contains(#"tsp_sandbox_limit_refusals_total{limit="bodyBytes"} 1"# + "\n"))
        #expect(text.contains(#"tsp_sandbox_framing_refusals_total{listener="control"} 0"# + "\n"))
        #expect(text.contains(#"tsp_sandbox_connections{listener="api"} 0"# + "\n"))
        await client.stop()
        await server.stop()
        loop.stop()
        // The stop signal shows before anything else ends.
        #expect(!server.application.readiness.isReady)
    }
}

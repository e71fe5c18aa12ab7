import Sandbox
import SandboxTesting
import Testing
import Wire

/// `health`: a server asked by the program itself.
struct HealthCommandTests {
    private static func withServer(_ body: (SandboxServer) async throws -> Void) async throws {
        var configuration = SandboxConfiguration()
        configuration.store = .memory
        configuration.port = 0
        configuration.controlPort = 0
        configuration.controlToken = "nobody-needs-it-here"
        let platform = SandboxApplication.Platform(now: { Instant(seconds: 0) }, newSeed: { 1 }, log: .none)
        let server = try await SandboxServer.start(configuration, platform)
        try await body(server)
        await server.stop()
    }

    @Test func `a server that lives is exit 0, wherever its address comes from`() async throws {
        try await Self.withServer { server in
            let port = try #require(server.controlURL.split(separator: ":").last.map(String.init))
            let named = await TestTerminal.run(["health", "--url", server.controlURL + "/"])
            #expect(named.exit == .success && named.output == "\(server.controlURL) lives\n", "\(named.errors)")
            // As a container's health check does: a server that listens everywhere is asked on loopback.
            for host in ["127.0.0.1", "0.0.0.0"] {
                let variables = ["TSP_SANDBOX_CONTROL_HOST": host, "TSP_SANDBOX_CONTROL_PORT": port]
                let own = await TestTerminal.run(["health"], environment: variables)
                #expect(own.exit == .success && own.output == named.output, "\(own.errors)")
            }
            // The API has no such path.
            let other = await TestTerminal.run(["health", "--url", server.apiURL])
            #expect(other.exit == .failure && other.errors.contains("answers 404"), "\(other.errors)")
        }
    }

    @Test func `one that does not is exit 1 with the reason, and no address is exit 2`() async throws {
        var gone = ""
        try await Self.withServer { gone = $0.controlURL }
        let outcome = await TestTerminal.run(["health", "--url", gone])
        #expect(outcome.exit == .failure && outcome.errors.contains("nothing listens there"), "\(outcome.errors)")
        for text in ["zz", "ftp://x", "http://h?x"] {
            #expect(await TestTerminal.run(["health", "--url", text]).exit == .usage)
        }
    }
}

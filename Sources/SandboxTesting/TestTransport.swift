import FoundationEssentials
import Networks
import Sandbox
import Transport
import Web

/// How a test's requests reach the sandbox.
protocol TestTransport: Sendable {
    /// The answer; what a client does not get is thrown as a `TestDeliveryFault`. `patience` is how long, in seconds, a
    /// client waits.
    func send(_ request: HTTPRequest, to port: TestPort, patience: Double) async throws -> HTTPResponse
}

/// No socket: the request goes straight to the pipeline, and the answer comes as a client would see it.
struct InProcessTransport: TestTransport {
    let application: SandboxApplication

    func send(_ request: HTTPRequest, to port: TestPort, patience: Double) async throws -> HTTPResponse {
        let response =
            switch port {
            case .api: await application.api.respond(to: request)
            case .control: await application.control.respond(to: request)
            }
        do throws(TestDeliveryFault) {
            return try TestDeliveryFault.received(response, to: request.method, patience: patience)
        } catch {
            // A client that waits no longer leaves.
            if error == .stalled { await response.clientLeft?() }
            throw error
        }
    }
}

/// Over sockets: a `SandboxServer` on free ports, and Transport's client.
package struct LiveTransport: TestTransport {
    /// Whether tests are to run over sockets: `TSP_SANDBOX_LIVE=1`.
    package static let isWanted = ProcessInfo.processInfo.environment["TSP_SANDBOX_LIVE"] == "1"

    let server: SandboxServer
    private let loop: EventLoop
    private let client: HTTPClient
    private let api: HTTPOrigin
    private let control: HTTPOrigin

    /// Opens the ports. The transport must be stopped.
    static func start(
        _ configuration: SandboxConfiguration,
        _ platform: SandboxApplication.Platform,
        _ faces: [any Face]
    ) async throws -> LiveTransport {
        EventLoop.ignoreBrokenPipes()
        var configuration = configuration
        configuration.port = 0
        configuration.controlPort = 0
        let loop = try EventLoop()
        var own = HTTPClientConfiguration()
        // The list of entries holds pictures.
        own.answerBytes = 32 << 20
        let client = try HTTPClient(loop: loop, configuration: own)
        let server = try await SandboxServer.start(configuration, platform, faces: faces)
        guard let api = HTTPOrigin(url: server.apiURL), let control = HTTPOrigin(url: server.controlURL) else {
            preconditionFailure("the sandbox listens on no URL: \(server.apiURL), \(server.controlURL)")
        }
        return LiveTransport(server: server, loop: loop, client: client, api: api, control: control)
    }

    /// What answers behind the sockets.
    var application: SandboxApplication { server.application }

    func send(_ request: HTTPRequest, to port: TestPort, patience: Double) async throws -> HTTPResponse {
        let origin =
            switch port {
            case .api: api
            case .control: control
            }
        do throws(HTTPCallFault) {
            return try await client.call(request, at: origin, timeoutSeconds: patience)
        } catch {
            if let seen = TestDeliveryFault(error) { throw seen }
            throw error
        }
    }

    /// Closes the connections, then the sandbox.
    func stop() async {
        await client.stop()
        await server.stop()
        loop.stop()
    }
}

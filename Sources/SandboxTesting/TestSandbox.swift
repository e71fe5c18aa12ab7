package import Sandbox
package import Transport
import Web
package import Wire

/// A sandbox of its own for one test: in memory, with a fixed seed and a clock that stands still until it is moved.
public struct TestSandbox: Sendable {
    package let application: SandboxApplication
    /// The wall clock of the sandbox.
    public let clock: TestClock
    /// Where fixtures and keys are.
    package let configuration: SandboxConfiguration
    /// Takes the requests: the application itself, or a socket.
    let transport: any TestTransport
    /// How long a request may take over a socket, in seconds. A stall is answered by nobody, so its tests wait as long.
    public var patience = 120.0

    /// Sends a request to the API.
    ///
    /// - Parameters:
    ///   - method: for example `POST`.
    ///   - path: the target, for example `/wallet/apple/devices`.
    ///   - body: a JSON document; `Content-Type: application/json` goes with it.
    public func api(
        _ method: String,
        _ path: String,
        body: String? = nil,
        headers: [(String, String)] = []
    ) async throws -> TestReply {
        try await send(.api, method, path, body.map { Array($0.utf8) }, headers)
    }

    /// Sends a request to the control API.
    public func control(
        _ method: String,
        _ path: String,
        body: String? = nil,
        headers: [(String, String)] = []
    ) async throws -> TestReply {
        try await send(.control, method, path, body.map { Array($0.utf8) }, headers)
    }

    #if DEBUG
    /// The steps that held a loop of the server for long; none without sockets.
    package var longSteps: [LongStep] { (transport as? LiveTransport)?.server.loops.longSteps ?? [] }
    #endif

    /// Every operation of the faces as `METHOD path name fidelity`.
    package var operationLabels: [String] { application.operationLabels }

    package func api(_ method: String, _ path: String, _ json: JSON) async throws -> TestReply {
        try await send(.api, method, path, json.bytes, [])
    }

    package func control(_ method: String, _ path: String, _ json: JSON) async throws -> TestReply {
        try await send(.control, method, path, json.bytes, [])
    }

    package func send(
        _ port: TestPort,
        _ method: String,
        _ path: String,
        _ body: [UInt8]?,
        _ headers: [(String, String)]
    ) async throws -> TestReply {
        var fields = HTTPHeaders(headers.map { (HTTPHeaderName($0.0), $0.1) })
        if body != nil, fields[.contentType] == nil { fields[.contentType] = "application/json" }
        let request = HTTPRequest(
            method: HTTPMethod(rawValue: method),
            target: path,
            headers: fields,
            body: body ?? []
        )
        return TestReply(try await transport.send(request, to: port, patience: patience))
    }
}

/// Which of the sandbox's two ports a request is for.
package enum TestPort: Sendable {
    case api
    case control
}

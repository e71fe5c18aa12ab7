import Glibc
import Transport
import Web

/// A client, and the server it calls.
struct RunningClient: Sendable {
    let client: HTTPClient
    let server: RunningServer
    let origin: HTTPOrigin

    func call(_ request: HTTPRequest, seconds: Double = 10) async throws -> HTTPResponse {
        try await client.call(request, at: origin, timeoutSeconds: seconds)
    }
}

/// Starts a server and a client on one loop, runs `body`, stops everything.
func withClient(
    _ configuration: HTTPClientConfiguration = HTTPClientConfiguration(),
    server: ServerConfiguration = ServerConfiguration(),
    host: String? = nil,
    _ body: (RunningClient) async throws -> Void
) async throws {
    EventLoop.ignoreBrokenPipes()
    let loops = try EventLoops()
    let responder = TestResponder()
    let http = HTTPServer(loops: loops, configuration: server, responder: responder)
    let address = try await http.start()
    let client = try HTTPClient(loop: loops.first, configuration: configuration)
    let scheme: HTTPOrigin.Scheme = server.tls == nil ? .http : .https
    let running = RunningClient(
        client: client,
        server: RunningServer(address: address, loops: loops, server: http, responder: responder),
        origin: HTTPOrigin(scheme, host: host ?? address.host, port: address.port)
    )
    var result = Result<Void, any Error>.success(())
    do { try await body(running) } catch { result = .failure(error) }
    responder.open()
    await client.stop()
    await http.stop(graceSeconds: 0)
    loops.stop()
    try result.get()
}

/// Calls a raw server that sends `answer` and ends; gives the outcome, and what the server read.
func callRaw(
    _ answer: String,
    _ end: RawServer.End,
    _ request: HTTPRequest = HTTPRequest(method: .get, target: "/a"),
    seconds: Double = 10,
    scheme: HTTPOrigin.Scheme = .http,
    change: (inout HTTPClientConfiguration) -> Void = { _ in },
    calls: Int = 1
) async throws -> (Result<HTTPResponse, HTTPCallFault>, String) {
    EventLoop.ignoreBrokenPipes()
    var configuration = HTTPClientConfiguration()
    change(&configuration)
    let loops = try EventLoops()
    let client = try HTTPClient(loop: loops.first, configuration: configuration)
    let server = try RawServer()
    async let served = offPool { try server.serve(Array(answer.utf8), end) }
    var outcome = Result<HTTPResponse, HTTPCallFault>.failure(.stopped)
    for _ in 0..<calls {
        do throws(HTTPCallFault) {
            let origin = HTTPOrigin(scheme, host: "127.0.0.1", port: server.port)
            outcome = .success(try await client.call(request, at: origin, timeoutSeconds: seconds))
        } catch {
            outcome = .failure(error)
        }
    }
    await client.stop()
    let seen = try await served.get()
    loops.stop()
    return (outcome, seen)
}

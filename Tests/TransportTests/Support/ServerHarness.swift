import Glibc
import Transport
import Web

/// A server that listens, and what stands behind it.
struct RunningServer: Sendable {
    let address: BoundAddress
    let loops: EventLoops
    let server: HTTPServer
    let responder: TestResponder
    var handshakes = HandshakeLog()

    /// A new connection to it.
    func client(tls: TLSClient.Options? = nil, resuming session: TLSClient.Session? = nil) throws -> RawClient {
        try RawClient(address, tls: tls, resuming: session)
    }

    /// Waits, at most 30 seconds, until the counters are as wanted.
    @available(*, noasync)
    func reaches(_ isWanted: (ServerCounters) -> Bool) -> Bool { Wait.until { isWanted(server.counters) } }

    /// Likewise in a task.
    func reaches(_ isWanted: (ServerCounters) -> Bool) async -> Bool {
        await Wait.until { isWanted(server.counters) }
    }
}

/// Starts a server, runs `body` on a thread of its own (it blocks), stops everything.
///
/// - Parameter count: the server's loops; more than one, so that each test meets more.
func withServer(
    loops count: Int = 2,
    tls: TLSConfiguration? = nil,
    limits change: (inout Limits) -> Void = { _ in },
    _ body: @escaping @Sendable (RunningServer) throws -> Void
) async throws {
    signal(SIGPIPE, SIG_IGN)
    var limits = Limits()
    change(&limits)
    let loops = try EventLoops(count: count)
    let responder = TestResponder()
    var configuration = ServerConfiguration(limits: limits, tls: tls)
    let handshakes = HandshakeLog()
    configuration.handshakeFailed = { handshakes.note($0) }
    let server = HTTPServer(loops: loops, configuration: configuration, responder: responder)
    let running = RunningServer(
        address: try await server.start(),
        loops: loops,
        server: server,
        responder: responder,
        handshakes: handshakes
    )
    let result = await offPool { try body(running) }
    responder.open()
    await server.stop(graceSeconds: 0)
    loops.stop()
    try result.get()
}

/// Runs blocking work on a thread of its own: the cooperative pool has two threads, and the server needs them.
func offPool<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async -> Result<Value, any Error> {
    await withCheckedContinuation { continuation in
        let job = Unmanaged.passRetained(Job { continuation.resume(returning: Result { try work() }) })
        var thread = pthread_t()
        let status = pthread_create(&thread, nil, runJob, job.toOpaque())
        precondition(status == 0, "no thread for a test")
        pthread_detach(thread)
    }
}

private final class Job {
    let work: () -> Void
    init(_ work: @escaping () -> Void) { self.work = work }
}

private func runJob(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { Unmanaged<Job>.fromOpaque(context).takeRetainedValue().work() }
    return nil
}

internal import Synchronization
package import Web

/// An HTTP/1.1 server on event loops, with a part on each. Several share the loops.
///
/// A request's task runs on its connection's loop, as far as the responder lets it. A server that was started must be
/// stopped: until then it keeps itself alive.
package final class HTTPServer: Sendable {
    private let configuration: ServerConfiguration
    private let cell = CounterCell()
    /// One for each loop. The first one listens.
    private let parts: [ServerPart]

    /// A server that does not listen yet.
    package init(loops: EventLoops, configuration: ServerConfiguration, responder: any HTTPResponder) {
        self.configuration = configuration
        parts = loops.all.map { [cell] loop in
            ServerPart(configuration: configuration, loops: loops, loop: loop, responder: responder, counters: cell)
        }
        MessageBounds.lift()
    }

    /// For logs and metrics.
    package var name: String { configuration.name }

    /// The counters now, over all loops; from any thread, without waiting.
    package var counters: ServerCounters { cell.reading }

    /// Listens; the address says which port was taken.
    package func start() async throws(TransportFault) -> BoundAddress { try await parts[0].listen(handingTo: parts) }

    /// Reads the files of TLS again, for clients that come from now on; open connections keep what they began with. A server
    /// without TLS has none to read. When it throws, everything stays as it was.
    package func renewTLS() async throws(TransportFault) {
        guard let files = configuration.tls else { return }
        let context = try TLSContext(files)
        await parts[0].use(context)
    }

    /// Closes the listener and idle connections, lets requests in flight be answered (with `Connection: close`) for at
    /// most `graceSeconds`, then closes the rest and cancels their requests. Returns when all that is done.
    package func stop(graceSeconds: Double) async {
        cell.isEnding.store(true, ordering: .releasing)
        // Before any part ends, so that none is handed a connection after its end.
        await parts[0].stopListening()
        await withTaskGroup { group in
            for part in parts { group.addTask { await part.stop(graceSeconds: graceSeconds) } }
        }
    }
}

/// A server on one of its loops: an actor on that thread, around what libevent's calls use there.
actor ServerPart {
    nonisolated let loop: EventLoop
    private let core: ServerCore

    /// A part without connections.
    init(
        configuration: ServerConfiguration,
        loops: EventLoops,
        loop: EventLoop,
        responder: any HTTPResponder,
        counters: CounterCell
    ) {
        self.loop = loop
        core = ServerCore(
            configuration: configuration,
            loops: loops,
            loop: loop,
            responder: responder,
            counters: counters
        )
    }

    /// The loop thread.
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor.asUnownedSerialExecutor() }

    /// Opens the socket, and hands each client to one of the parts.
    func listen(handingTo parts: [ServerPart]) throws(TransportFault) -> BoundAddress {
        try core.listen(handingTo: parts)
    }

    /// Clients that come from now on see what `context` read.
    func use(_ context: TLSContext) { core.use(context) }

    /// Closes the socket; connections go on.
    func stopListening() { core.stopListening() }

    /// Ends the part; see `HTTPServer.stop`.
    func stop(graceSeconds: Double) async {
        await withCheckedContinuation { core.stop(graceSeconds: graceSeconds, waiter: $0) }
    }

    /// What the loop's mailbox, or a request's task, has to do here. Loop thread only.
    nonisolated func onLoop<Value: Sendable>(_ body: @Sendable (ServerCore) -> Value) -> Value {
        // Safe because it is called on the loop thread, which is this actor's executor; it is checked.
        assumeIsolated { body($0.core) }
    }
}

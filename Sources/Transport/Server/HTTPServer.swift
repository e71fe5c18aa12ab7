package import Web

/// An HTTP/1.1 server on an event loop. Several share one loop.
///
/// Its own state lives on the loop thread; the responder runs on the cooperative pool. A server that was started must be
/// stopped: until then it keeps itself alive.
package actor HTTPServer {
    /// For logs and metrics.
    package nonisolated let name: String
    private let configuration: ServerConfiguration
    private nonisolated let loop: EventLoop
    private nonisolated let cell: CounterCell
    private let core: ServerCore

    /// A server that does not listen yet.
    package init(loop: EventLoop, configuration: ServerConfiguration, responder: any HTTPResponder) {
        let cell = CounterCell()
        name = configuration.name
        self.configuration = configuration
        self.loop = loop
        self.cell = cell
        core = ServerCore(limits: configuration.limits, loop: loop, responder: responder, counters: cell)
        MessageBounds.lift()
    }

    /// The loop thread.
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.executor.asUnownedSerialExecutor()
    }

    /// The counters now; from any thread, without waiting.
    package nonisolated var counters: ServerCounters { cell.reading }

    /// Listens; the address says which port was taken.
    package func start() throws(TransportFault) -> BoundAddress {
        try core.start(configuration, owner: self)
    }

    /// Closes the listener and idle connections, lets requests in flight be answered (with `Connection: close`) for at
    /// most `graceSeconds`, then closes the rest and cancels their requests. Returns when all that is done.
    package func stop(graceSeconds: Double) async {
        await withCheckedContinuation { core.stop(graceSeconds: graceSeconds, waiter: $0) }
    }

    /// The responder's word. Called by the loop's mailbox, on the loop thread.
    nonisolated func conclude(_ ticket: Ticket, _ outcome: Outcome) {
        // Safe because `EventLoop.post` runs it on the loop thread, which is this actor's executor; it is checked.
        assumeIsolated { $0.core.conclude(ticket, outcome) }
    }
}

internal import Glibc
internal import Synchronization

/// A client that came, on its way to the loop that serves it.
struct Arrival: Sendable {
    /// Owned by whoever has the arrival.
    let descriptor: Int32
    /// The client's address without the port.
    let peer: String
    /// Nil for plain HTTP.
    let tls: TLSContext?
}

/// Lets clients in and hands each to the loop with the fewest connections, as far as the limits over all loops allow.
///
/// Belongs to the server's first part, used on its loop thread only. libevent holds it without a reference while its
/// listener lives, which it owns.
final class Acceptor {
    private let limits: Limits
    /// Connections that are accepted whatever the other servers hold.
    private let ownConnections: Int
    private let loops: EventLoops
    private let counters: CounterCell
    private let parts: [ServerPart]
    private var tls: TLSContext?
    private var listener: Listener?
    private var timer: LoopTimer?

    /// Reads the files of TLS; listens nowhere yet.
    init(
        _ configuration: ServerConfiguration,
        loops: EventLoops,
        counters: CounterCell,
        parts: [ServerPart]
    ) throws(TransportFault) {
        limits = configuration.limits
        ownConnections = loops.ownConnections(configuration.limits.ownConnections)
        self.loops = loops
        self.counters = counters
        self.parts = parts
        if let configuration = configuration.tls { tls = try TLSContext(configuration) } else { tls = nil }
    }

    /// Opens the socket and accepts.
    func listen(_ configuration: ServerConfiguration, on loop: EventLoop) throws(TransportFault) -> BoundAddress {
        let seconds = limits.tickSeconds
        guard let timer = LoopTimer(base: loop.base, seconds: seconds, action: { [unowned self] in resume() })
        else { throw .system(call: "event_new", number: ENOMEM) }
        let listener = try Listener(host: configuration.host, port: configuration.port, loop: loop, acceptor: self)
        self.timer = timer
        self.listener = listener
        return listener.address
    }

    /// Clients that come from now on see what `context` read.
    func use(_ context: TLSContext) { tls = context }

    /// A client came; `descriptor` is owned here. What is handed on is counted at once: the loop may take its time.
    func accept(_ descriptor: Int32, peer: String) {
        let number = loops.leastBusy
        counters.accepted.add(1, ordering: .relaxed)
        counters.connections.add(1, ordering: .sequentiallyConsistent)
        loops.all[number].openConnections.add(1, ordering: .relaxed)
        let (part, home) = (parts[number], parts[0])
        let arrival = Arrival(descriptor: descriptor, peer: peer, tls: tls)
        let take: @Sendable () -> Void = { part.onLoop { $0.take(arrival, part: part, home: home) } }
        if part === home { take() } else { part.loop.post(take) }
        guard isFull else { return }
        pause()
        // A connection that ended just before saw nobody waiting.
        resume()
    }

    /// Too many connections, or no descriptor left: new clients wait in the kernel's queue.
    func pause() {
        guard listener?.pause() == true else { return }
        counters.pauses.add(1, ordering: .relaxed)
        counters.isPaused.store(true, ordering: .sequentiallyConsistent)
        // Descriptors come free without anybody's word.
        timer?.start()
    }

    /// Accepts again, when there is room.
    func resume() {
        guard !isFull else { return }
        counters.isPaused.store(false, ordering: .relaxed)
        timer?.stop()
        listener?.resume()
    }

    /// Whether no more clients are accepted for now. No server can take the last descriptor: up to its own share, each
    /// accepts whatever the others hold, so that the control server stays within reach.
    private var isFull: Bool {
        let count = counters.connections.load(ordering: .sequentiallyConsistent)
        if count >= limits.connections { return true }
        return count >= ownConnections && loops.openConnections >= loops.sharedConnections
    }
}

internal import CLibevent
internal import Glibc
internal import Synchronization
internal import Web

/// What a server does on the loop thread: the table of its connections, its limits, its end.
///
/// Made anywhere, used on the loop thread only, owned by its `HTTPServer`. libevent holds it without a reference while
/// it listens; `owner` keeps both alive for that time.
final class ServerCore {
    let limits: Limits
    let counters: CounterCell
    var writer = AnswerWriter()
    /// Is told of each TLS handshake that fails.
    private(set) var handshakeFailed: (@Sendable (HandshakeFailure) -> Void)?
    /// Whether `stop` was called.
    private(set) var isStopping = false

    private let loop: EventLoop
    private let responder: any HTTPResponder
    /// The server itself, from start to stop.
    private var owner: HTTPServer?
    private var listener: Listener?
    private var timer: LoopTimer?
    private var connections: [UInt64: Connection] = [:]
    private var lastID: UInt64 = 0
    private var inFlight = 0
    /// Asked in this round, not started yet.
    private var questions: [(Ticket, @Sendable (any HTTPResponder) async -> Outcome)] = []
    private var context: TLSContext?
    private var stopDeadline = Double.infinity
    private var stopWaiters: [CheckedContinuation<Void, Never>] = []

    /// Makes nothing of libevent's yet.
    init(limits: Limits, loop: EventLoop, responder: any HTTPResponder, counters: CounterCell) {
        self.limits = limits
        self.loop = loop
        self.responder = responder
        self.counters = counters
    }

    /// Seconds on a clock that is never set, some milliseconds coarse.
    var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
    }

    /// Whether one more request may be answered.
    var hasRoom: Bool { inFlight < limits.requestsInFlight }

    // MARK: Starting

    /// Opens the socket and accepts. `owner` lives at least until `stop`.
    func start(_ configuration: ServerConfiguration, owner: HTTPServer) throws(TransportFault) -> BoundAddress {
        if let tls = configuration.tls { context = try TLSContext(tls) }
        handshakeFailed = configuration.handshakeFailed
        let listener = try Listener(host: configuration.host, port: configuration.port, loop: loop, core: self)
        guard let timer = LoopTimer(base: loop.base, seconds: limits.tickSeconds, action: { [unowned self] in tick() })
        else { throw .system(call: "event_new", number: ENOMEM) }
        self.listener = listener
        self.timer = timer
        self.owner = owner
        return listener.address
    }

    // MARK: Connections

    /// A client came; `descriptor` is owned here.
    func accept(_ descriptor: Int32, peer: String) {
        guard let channel = makeChannel(descriptor) else { return }
        lastID += 1
        let connection = Connection(id: lastID, peer: peer, channel: channel, server: self)
        connections[lastID] = connection
        loop.openConnections += 1
        counters.accepted.add(1, ordering: .relaxed)
        counters.connections.store(connections.count, ordering: .relaxed)
        if isFull { pauseAccepting() }
        timer?.start()
        connection.open()
    }

    /// A timer of the server's loop; nil when memory is short.
    func repeating(seconds: Double, _ action: @escaping () -> Void) -> LoopTimer? {
        LoopTimer(base: loop.base, seconds: seconds, action: action)
    }

    /// A channel that owns `descriptor`; nil when memory is short.
    private func makeChannel(_ descriptor: Int32) -> Channel? {
        if let context { return context.channel(descriptor, base: loop.base) }
        guard let raw = bufferevent_socket_new(loop.base, descriptor, shim_BEV_OPT_CLOSE_ON_FREE) else {
            Glibc.close(descriptor)
            return nil
        }
        return Channel(takingOwnershipOf: raw, ssl: nil)
    }

    /// A connection closed itself.
    func forget(_ connection: Connection) {
        if connections.removeValue(forKey: connection.id) != nil { loop.openConnections -= 1 }
        counters.connections.store(connections.count, ordering: .relaxed)
        if !isStopping, !isFull { listener?.resume() }
    }

    /// Whether no more clients are accepted for now. No server can take the last descriptor: up to its own share, each
    /// accepts whatever the others hold, so that the control server stays within reach.
    private var isFull: Bool {
        if connections.count >= limits.connections { return true }
        return connections.count >= limits.ownConnections && loop.openConnections >= loop.sharedConnections
    }

    /// Too many connections, or no descriptor left: new clients wait in the kernel's queue.
    func pauseAccepting() {
        guard listener?.pause() == true else { return }
        counters.pauses.add(1, ordering: .relaxed)
        timer?.start()
    }

    // MARK: Questions

    /// Has the responder asked, off the loop thread. The tasks of one round start together: started one by one, each
    /// would wake a sleeping thread of the pool again.
    func ask(_ ticket: Ticket, _ question: @escaping @Sendable (any HTTPResponder) async -> Outcome) {
        inFlight += 1
        counters.requestsInFlight.store(inFlight, ordering: .relaxed)
        if questions.isEmpty { loop.atEndOfRound { [self] in startQuestions() } }
        questions.append((ticket, question))
    }

    /// The end of the round: starts what was asked.
    private func startQuestions() {
        for (ticket, question) in questions {
            guard let owner, let connection = connections[ticket.connection], connection.turn == ticket.turn else {
                // The client left within the round.
                inFlight -= 1
                continue
            }
            connection.task = Task { @concurrent [responder, loop] in
                let outcome = await question(responder)
                loop.post { owner.conclude(ticket, outcome) }
            }
            if connection.clientEnded { connection.task?.cancel() }
        }
        questions.removeAll(keepingCapacity: true)
        counters.requestsInFlight.store(inFlight, ordering: .relaxed)
        if isStopping { endIfDone() }
    }

    /// The responder's word arrived; the connection may be gone, or may have asked something else since.
    func conclude(_ ticket: Ticket, _ outcome: Outcome) {
        inFlight -= 1
        counters.requestsInFlight.store(inFlight, ordering: .relaxed)
        if let connection = connections[ticket.connection], connection.turn == ticket.turn {
            connection.conclude(outcome)
        }
        if isStopping { endIfDone() }
    }

    // MARK: Time and end

    /// Looks at every deadline.
    private func tick() {
        let now = now
        for connection in connections.values where connection.deadline <= now { connection.expire() }
        if isStopping { return endIfDone() }
        if !isFull { listener?.resume() }
        if connections.isEmpty { timer?.stop() }
    }

    /// Stops accepting, closes idle connections, ends stalls and dribbles; `waiter` is resumed when the rest is done or the grace is over.
    func stop(graceSeconds: Double, waiter: CheckedContinuation<Void, Never>) {
        guard owner != nil else { return waiter.resume() }
        stopWaiters.append(waiter)
        isStopping = true
        listener = nil
        stopDeadline = min(stopDeadline, now + graceSeconds)
        for connection in connections.values { connection.serverStops() }
        timer?.start()
        endIfDone()
    }

    /// Ends the stop when nothing is under way or the grace is over.
    private func endIfDone() {
        let isBusy = inFlight > 0 || connections.values.contains { $0.phase != .draining }
        guard !isBusy || now >= stopDeadline, owner != nil else { return }
        for connection in connections.values { connection.close() }
        timer = nil
        let waiters = stopWaiters
        stopWaiters = []
        // Last, because it may release this object's owner.
        owner = nil
        for waiter in waiters { waiter.resume() }
    }
}

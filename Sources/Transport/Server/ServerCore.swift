internal import CLibevent
internal import Glibc
internal import Synchronization
internal import Web

/// What a server does on one loop thread: the table of its connections there, their requests, their end.
///
/// Made anywhere, used on the loop thread only, owned by its `ServerPart`. libevent holds its connections without a
/// reference; `part` keeps all alive from the first of them to the server's end.
final class ServerCore {
    let limits: Limits
    let counters: CounterCell
    var writer = AnswerWriter()
    /// Is told of each TLS handshake that fails.
    let handshakeFailed: (@Sendable (HandshakeFailure) -> Void)?
    /// Whether `stop` was called.
    private(set) var isStopping = false
    /// Whether the server ends, though the word may not have come to this loop yet.
    var isEnding: Bool { counters.isEnding.load(ordering: .acquiring) }

    private let configuration: ServerConfiguration
    private let loops: EventLoops
    private let loop: EventLoop
    private let responder: any HTTPResponder
    /// The actor around this object.
    private var part: ServerPart?
    /// The part that listens.
    private var home: ServerPart?
    /// Of the part that listens.
    private(set) var acceptor: Acceptor?
    private var timer: LoopTimer?
    private var connections: [UInt64: Connection] = [:]
    private var lastID: UInt64 = 0
    /// Requests of this loop that the responder is answering.
    private var inFlight = 0
    private var stopDeadline = Double.infinity
    private var stopWaiters: [CheckedContinuation<Void, Never>] = []

    /// Makes nothing of libevent's yet.
    init(
        configuration: ServerConfiguration,
        loops: EventLoops,
        loop: EventLoop,
        responder: any HTTPResponder,
        counters: CounterCell
    ) {
        limits = configuration.limits
        handshakeFailed = configuration.handshakeFailed
        self.configuration = configuration
        self.loops = loops
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

    // MARK: Listening

    /// Opens the socket and accepts, at least until `stopListening`. This is the first of `parts`.
    func listen(handingTo parts: [ServerPart]) throws(TransportFault) -> BoundAddress {
        let acceptor = try Acceptor(configuration, loops: loops, counters: counters, parts: parts)
        let address = try acceptor.listen(configuration, on: loop)
        self.acceptor = acceptor
        part = parts[0]
        return address
    }

    /// Clients that come from now on see what `context` read.
    func use(_ context: TLSContext) { acceptor?.use(context) }

    /// Accepts no more; who is connected stays.
    func stopListening() { acceptor = nil }

    // MARK: Connections

    /// Serves a client that the acceptor has counted for this loop.
    func take(_ arrival: Arrival, part: ServerPart, home: ServerPart) {
        guard !isStopping else {
            close(arrival.descriptor)
            return countEnd()
        }
        self.part = part
        self.home = home
        guard let channel = makeChannel(arrival), startTimer() else { return countEnd() }
        lastID += 1
        let connection = Connection(id: lastID, peer: arrival.peer, channel: channel, server: self)
        connections[lastID] = connection
        connection.open()
    }

    /// A timer of the server's loop; nil when memory is short.
    func repeating(seconds: Double, _ action: @escaping () -> Void) -> LoopTimer? {
        LoopTimer(base: loop.base, seconds: seconds, action: action)
    }

    /// A channel that owns the descriptor; nil when memory is short.
    private func makeChannel(_ arrival: Arrival) -> Channel? {
        if let tls = arrival.tls { return tls.channel(arrival.descriptor, base: loop.base) }
        guard let raw = bufferevent_socket_new(loop.base, arrival.descriptor, shim_BEV_OPT_CLOSE_ON_FREE) else {
            close(arrival.descriptor)
            return nil
        }
        return Channel(takingOwnershipOf: raw, ssl: nil)
    }

    /// A connection closed itself.
    func forget(_ connection: Connection) {
        if connections.removeValue(forKey: connection.id) != nil { countEnd() }
    }

    /// One connection less; whoever waits to be accepted may come.
    private func countEnd() {
        loop.openConnections.subtract(1, ordering: .relaxed)
        counters.connections.subtract(1, ordering: .sequentiallyConsistent)
        guard counters.isPaused.load(ordering: .sequentiallyConsistent), let home else { return }
        if let acceptor { return acceptor.resume() }
        home.loop.post { home.onLoop { $0.acceptor?.resume() } }
    }

    // MARK: Questions

    /// Whether one more request may be answered; then it is counted as one in flight.
    func takeRoom() -> Bool { counters.takeRoom(within: limits.requestsInFlight) }

    /// Has the responder asked, by a task on this loop. Whoever asks has counted the request as one in flight.
    func ask(
        _ ticket: Ticket,
        of connection: Connection,
        _ question: @escaping @Sendable (any HTTPResponder) async -> Outcome
    ) {
        guard let part else { return }
        inFlight += 1
        // Detached: it may begin within the task whose answer let this request be read, and has nothing of that one.
        let task = Task.detached(executorPreference: tasks(of: connection)) { [responder, loop] in
            guard loop.isCurrent, part.onLoop({ $0.isAwaited(ticket) }) else { return }
            let outcome = await question(responder)
            if loop.isCurrent { return part.onLoop { $0.conclude(ticket, outcome) } }
            // The responder did not come back to the loop.
            loop.post { part.onLoop { $0.conclude(ticket, outcome) } }
        }
        connection.task = task
        if connection.clientEnded { task.cancel() }
    }

    private func tasks(of connection: Connection) -> any TaskExecutor {
        #if DEBUG
        if let head = connection.head {
            return RequestTasks(mailbox: loop.executor.mailbox, request: "\(head.method.rawValue) \(head.path)")
        }
        #endif
        return loop.tasks
    }

    /// The turn of a question came; false when its client has left, or has something else to be asked.
    private func isAwaited(_ ticket: Ticket) -> Bool {
        if connections[ticket.connection]?.turn == ticket.turn { return true }
        conclude(ticket, nil)
        return false
    }

    /// The responder's word arrived; the connection may be gone, or may have asked something else since.
    private func conclude(_ ticket: Ticket, _ outcome: Outcome?) {
        inFlight -= 1
        counters.requestsInFlight.subtract(1, ordering: .relaxed)
        if let outcome, let connection = connections[ticket.connection], connection.turn == ticket.turn {
            connection.conclude(outcome)
        }
        if isStopping { endIfDone() }
    }

    // MARK: Time and end

    /// Begins to look at deadlines; false when memory is short.
    private func startTimer() -> Bool {
        if timer == nil { timer = repeating(seconds: limits.tickSeconds) { [unowned self] in tick() } }
        timer?.start()
        return timer != nil
    }

    /// Looks at every deadline.
    private func tick() {
        let now = now
        for connection in connections.values where connection.deadline <= now { connection.expire() }
        if isStopping { return endIfDone() }
        if connections.isEmpty { timer?.stop() }
    }

    /// Closes idle connections, ends stalls and dribbles; `waiter` is resumed when the rest is done or the grace is over.
    func stop(graceSeconds: Double, waiter: CheckedContinuation<Void, Never>) {
        isStopping = true
        guard part != nil else { return waiter.resume() }
        stopWaiters.append(waiter)
        stopDeadline = min(stopDeadline, now + graceSeconds)
        for connection in connections.values { connection.serverStops() }
        timer?.start()
        endIfDone()
    }

    /// Ends the stop when nothing is under way or the grace is over.
    private func endIfDone() {
        let isBusy = inFlight > 0 || connections.values.contains { $0.phase != .draining }
        guard !isBusy || now >= stopDeadline, let part else { return }
        for connection in connections.values { connection.close() }
        timer = nil
        let waiters = stopWaiters
        stopWaiters = []
        self.part = nil
        home = nil
        for waiter in waiters { waiter.resume() }
        // It may have been the last reference to this object's owner.
        withExtendedLifetime(part) {}
    }
}

internal import CLibevent
internal import Glibc
internal import Synchronization
internal import Web

/// What a client does on the loop thread: its calls, its connections, its end.
///
/// Made anywhere, used on the loop thread only, owned by its `HTTPClient`. Nothing of libevent's is held while no
/// connection is open, so the last reference may be released on any thread.
final class ClientCore {
    let configuration: HTTPClientConfiguration

    private let loop: EventLoop
    private var context: TLSClientContext?
    /// The client itself, while connections are open.
    private var owner: HTTPClient?
    private var timer: LoopTimer?
    private var dns: Resolver?
    private var connections: [UInt64: ClientConnection] = [:]
    /// Idle connections, the one used last at the end.
    private var idle: [HTTPOrigin: [ClientConnection]] = [:]
    private var lastID: UInt64 = 0
    private var isStopped = false
    private var stopWaiters: [CheckedContinuation<Void, Never>] = []

    /// Reads the files that the configuration names; without any, TLS is set up with the first call that needs it.
    init(loop: EventLoop, configuration: HTTPClientConfiguration) throws(TransportFault) {
        self.loop = loop
        self.configuration = configuration
        context = configuration.namesFiles ? try TLSClientContext(configuration) : nil
    }

    /// The libevent base of the client's loop.
    var base: OpaquePointer { loop.base }

    /// Seconds on a clock that is never set, some milliseconds coarse.
    var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
    }

    // MARK: Calls

    /// Starts a call, on a kept connection when there is one. `owner` lives until every connection is closed.
    func begin(
        _ order: CallOrder,
        _ ticket: CallTicket,
        _ waiter: CheckedContinuation<Result<HTTPResponse, HTTPCallFault>, Never>,
        owner: HTTPClient
    ) {
        let call = ClientCall(order, ticket, deadline: now + order.timeoutSeconds, waiter: waiter)
        guard !isStopped else { return call.end(.failure(.stopped)) }
        guard !ticket.isCancelled.load(ordering: .acquiring) else { return call.end(.failure(.cancelled)) }
        if !order.endsConnection, let connection = takeIdle(order.origin) { return connection.carry(call) }
        guard startTimer() else { return call.end(.failure(.unreachable(reason: "no memory is left"))) }
        self.owner = owner
        lastID += 1
        let connection = ClientConnection(id: lastID, call: call, client: self)
        connections[lastID] = connection
        connection.open()
    }

    /// The caller gave up.
    func cancel(_ ticket: CallTicket) {
        connections.values.first { $0.call?.ticket === ticket }?.fail(.cancelled)
    }

    /// A call has its end. Called by its connection, which has let go of it.
    func ended(_ call: ClientCall, _ result: Result<HTTPResponse, HTTPCallFault>) { call.end(result) }

    // MARK: Connections

    /// The names of hosts; made when first needed. Nil when memory or descriptors are short.
    func resolver() -> Resolver? {
        // Not freed within libevent's own call.
        if dns == nil { dns = Resolver(base: base) { [unowned self] in endAfterRound() } }
        return dns
    }

    /// A channel that owns `descriptor`; nil when memory is short.
    func channel(_ descriptor: Int32, _ origin: HTTPOrigin) -> Channel? {
        if origin.scheme == .https {
            if context == nil { context = try? TLSClientContext(configuration) }
            guard let context else {
                close(descriptor)
                return nil
            }
            return context.channel(descriptor, host: origin.host, base: base)
        }
        guard let raw = bufferevent_socket_new(base, descriptor, shim_BEV_OPT_CLOSE_ON_FREE) else {
            close(descriptor)
            return nil
        }
        return Channel(takingOwnershipOf: raw, ssl: nil)
    }

    /// Whether one more idle connection is kept for `origin`.
    func mayKeep(_ origin: HTTPOrigin) -> Bool {
        !isStopped && idle[origin, default: []].count < configuration.idlePerOrigin
    }

    /// Keeps a connection that is idle now.
    func keep(_ connection: ClientConnection) { idle[connection.origin, default: []].append(connection) }

    private func takeIdle(_ origin: HTTPOrigin) -> ClientConnection? {
        while let connection = idle[origin]?.popLast() {
            if connection.isUsable { return connection }
            connection.close()
        }
        return nil
    }

    /// A connection closed itself.
    func forget(_ connection: ClientConnection) {
        connections[connection.id] = nil
        if var kept = idle[connection.origin] {
            kept.removeAll { $0 === connection }
            idle[connection.origin] = kept.isEmpty ? nil : kept
        }
        // Not now: the caller may be a connection, which this object's end would take along.
        if connections.isEmpty { endAfterRound() }
    }

    // MARK: Time and end

    private func startTimer() -> Bool {
        if timer == nil { timer = LoopTimer(base: base, seconds: 0.02) { [unowned self] in tick() } }
        timer?.start()
        return timer != nil
    }

    /// Looks at every deadline.
    private func tick() {
        let now = now
        for connection in connections.values {
            if let call = connection.call {
                if call.deadline <= now { connection.runOut() }
            } else if connection.idleEnd <= now {
                connection.close()
            }
        }
    }

    /// Fails every call; `waiter` is resumed when nothing of libevent's is left.
    func stop(_ waiter: CheckedContinuation<Void, Never>) {
        isStopped = true
        stopWaiters.append(waiter)
        for connection in connections.values { connection.fail(.stopped) }
        endAfterRound()
    }

    private func endAfterRound() { loop.atEndOfRound { [self] in endIfDone() } }

    /// Frees what belongs to libevent when no connection and no look-up is left.
    private func endIfDone() {
        guard connections.isEmpty, dns?.isBusy != true else { return }
        timer = nil
        dns = nil
        let waiters = stopWaiters
        stopWaiters = []
        // Held to the end of this call: it may be the last reference to this object's owner.
        let owner = owner
        self.owner = nil
        for waiter in waiters { waiter.resume() }
        withExtendedLifetime(owner) {}
    }
}

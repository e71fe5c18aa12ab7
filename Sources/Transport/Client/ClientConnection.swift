internal import Web

/// One connection to a server: looks the host up, connects, and carries calls one after another.
///
/// Loop thread only; owned by its client's table, so the C callbacks hold it without a reference.
final class ClientConnection {
    /// Where the connection stands.
    enum Phase {
        case resolving
        case connecting
        case handshake
        /// A request was sent, or is being sent.
        case answering
        /// No call; the server may close it at any time.
        case idle
        case closed
    }

    let id: UInt64
    let origin: HTTPOrigin
    private(set) var phase = Phase.resolving
    /// What it is open for; nil only while idle and when closed.
    private(set) var call: ClientCall?
    /// When an idle connection is closed, on the client's clock.
    private(set) var idleEnd = Double.infinity

    private unowned let client: ClientCore
    private let parser: AnswerParser
    private var lookup: Lookup?
    private var connector: Connector?
    private var channel: Channel?

    /// A connection for `call`; `open` begins.
    init(id: UInt64, call: ClientCall, client: ClientCore) {
        self.id = id
        self.call = call
        self.client = client
        origin = call.order.origin
        parser = AnswerParser(
            bodyBytes: client.configuration.answerBytes,
            headBytes: client.configuration.headBytes
        )
    }

    // MARK: Opening

    /// Begins to look up and to connect.
    func open() {
        if let target = SocketTarget(numeric: origin.host, port: origin.port) { return connect([target]) }
        guard let resolver = client.resolver() else {
            return fail(.unresolved(host: origin.host, reason: "no descriptor or memory is left"))
        }
        let begun = resolver.find(origin.host, port: origin.port) { [unowned self] result in
            lookup = nil
            switch result {
            case .success(let targets): connect(targets)
            case .failure(let fault): fail(fault)
            }
        }
        // The answer may have come within the call.
        if phase == .resolving { lookup = begun }
    }

    private func connect(_ targets: [SocketTarget]) {
        phase = .connecting
        let connector = Connector(base: client.base, targets: targets) { [unowned self] result in
            self.connector = nil
            switch result {
            case .success(let descriptor): connected(descriptor)
            case .failure(let fault): fail(fault)
            }
        }
        self.connector = connector
        connector.start()
    }

    /// Takes the connected socket over.
    private func connected(_ descriptor: Int32) {
        guard let channel = client.channel(descriptor, origin) else {
            return fail(.unreachable(reason: "the connection cannot be set up"))
        }
        self.channel = channel
        let context = Unmanaged.passUnretained(self).toOpaque()
        phase = channel.isTLS ? .handshake : .answering
        channel.open(clientCallbacks, context: context, watermark: 0)
        if phase == .answering { sendRequest() }
    }

    /// The TLS handshake is done and the server is who it should be.
    func handshakeEnded() {
        guard phase == .handshake else { return }
        sendRequest()
    }

    // MARK: Calling

    /// Whether an idle connection can carry a call: the server has neither closed nor said anything.
    var isUsable: Bool { phase == .idle && channel?.isSilent == true }

    /// Carries another call.
    func carry(_ call: ClientCall) {
        self.call = call
        idleEnd = .infinity
        sendRequest()
    }

    private func sendRequest() {
        guard let call, let channel else { return }
        phase = .answering
        parser.begin(isHead: call.order.isHead)
        // A failure shows again when the answer is read, and there may be one: a server that refuses early closes.
        _ = call.order.bytes.withUnsafeBytes { channel.send($0) }
    }

    /// The channel has bytes.
    func bytesArrived() {
        guard phase == .answering, let channel else {
            if phase == .idle { close() }
            return
        }
        var fault: HTTPCallFault?
        while channel.unread > 0, fault == nil, !parser.isComplete {
            channel.read { piece in
                do throws(HTTPCallFault) {
                    return try parser.read(piece)
                } catch {
                    fault = error
                    return piece.count
                }
            }
        }
        if let fault { return fail(fault) }
        if parser.isComplete { succeed() }
    }

    /// The server sent its last byte.
    func serverEnded() {
        switch phase {
        case .handshake: fail(.tls(.closed, reason: "the server closed within the handshake"))
        case .answering where parser.end(): succeed()
        case .answering: fail(closedFault)
        case .idle: close()
        case .resolving, .connecting, .closed: break
        }
    }

    /// Whether a failed write leaves an answer to be read; OpenSSL ends both directions at once.
    var mayStillRead: Bool { phase == .answering && channel?.isTLS == false }

    /// The connection broke. `number` is the system's word, 0 when it has none.
    func broke(_ number: Int32) {
        guard phase != .idle else { return close() }
        if let fault = channel?.takeTLSFault(withinHandshake: phase == .handshake) { return fail(fault) }
        if Connector.isReset(number) { return fail(.reset) }
        guard number != 0 else { return serverEnded() }
        fail(.unreachable(reason: TransportFault.text(of: number)))
    }

    private var closedFault: HTTPCallFault {
        parser.hasBegun ? .closedInsideAnswer(bodyBytes: parser.body.count) : .closedBeforeAnswer
    }

    // MARK: Ending

    /// Hands the answer over and keeps the connection, when both sides like.
    private func succeed() {
        guard let call, let channel else { return }
        self.call = nil
        let response = parser.takeResponse()
        let isKept =
            parser.keepsAlive && !call.order.endsConnection && channel.unread == 0 && channel.unwritten == 0
            && client.mayKeep(origin)
        if isKept {
            phase = .idle
            idleEnd = client.now + client.configuration.idleSeconds
            client.keep(self)
        } else {
            close()
        }
        client.ended(call, .success(response))
    }

    /// Ends the call with a fault, and the connection.
    func fail(_ fault: HTTPCallFault) {
        let call = call
        self.call = nil
        close()
        if let call { client.ended(call, .failure(fault)) }
    }

    /// Ends the call because its time is over.
    func runOut() {
        let step: HTTPCallFault.Step =
            switch phase {
            case .resolving: .resolving
            case .connecting: .connecting
            case .handshake: .handshake
            case .answering, .idle, .closed: .answering
            }
        fail(.timeout(during: step))
    }

    /// Frees the socket at once and leaves the client's table.
    func close() {
        guard phase != .closed else { return }
        phase = .closed
        lookup?.cancel()
        lookup = nil
        connector?.cancel()
        connector = nil
        channel?.close()
        client.forget(self)
    }
}

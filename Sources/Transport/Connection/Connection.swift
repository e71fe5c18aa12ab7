internal import Web

/// One client's connection: reads a request, has it answered, sends the answer, begins again.
///
/// Loop thread only; owned by its server's table, so the C callbacks hold it without a reference. One request at a time:
/// what a client sends ahead waits in the channel.
final class Connection {
    /// Where the connection stands.
    enum Phase {
        /// Waiting for the first byte of a request.
        case idle
        /// Within a head.
        case head
        /// Within a body.
        case body
        /// The responder looks at the head; the body may come meanwhile.
        case judging
        /// The responder answers; nothing is read.
        case answering
        /// An answer waits for the client to take it.
        case sending
        /// An answer goes out in pieces, on purpose.
        case dribbling
        /// Nothing goes out, on purpose.
        case stalling
        /// All is said; what the client still sends is thrown away.
        case draining
        case closed
    }

    let id: UInt64
    let peer: String
    let channel: Channel
    /// Whose connection it is; it outlives every connection.
    unowned let server: ServerCore

    var phase = Phase.idle
    var scanner: HeadScanner
    let parser = RequestParser()
    var chunks: ChunkGuard
    /// The request under way, without its body.
    var head: HTTPRequest?
    var rules = HeadRules()
    var form = AnswerWriter.Form()

    /// Whether the responder saw the head before the body came.
    var isJudged = false
    /// Whether bytes of the body have come, so that `100 Continue` is pointless.
    var bodyBegan = false
    /// Bytes of the body that are counted against what all connections together may hold; a small body counts nothing.
    private var heldBytes = 0
    /// Whether the client has sent its last byte.
    var clientEnded = false
    /// Bytes that may still be thrown away before reading stops.
    var drainBudget = 0
    /// Counts what the responder was asked, so that an outdated answer is known.
    var turn: UInt64 = 0
    /// What the responder is doing for this connection.
    var task: Task<Void, Never>?
    /// What is still to be sent in pieces.
    var dribble: Dribble?
    /// Wants to know when the client leaves before the answer has come to its end.
    var clientLeft: (@Sendable () async -> Void)?

    /// Whether TLS is still being agreed on.
    private(set) var isHandshaking: Bool
    /// The client's certificate; known after the handshake.
    private var certificate: TLSPeer?

    /// When patience ends, on the server's clock.
    var deadline: Double
    /// When the patience with the head, body or answer under way ends, whatever comes.
    var partEnd = Double.infinity
    /// Bytes that waited to be written when the deadline was set.
    var unwrittenThen = 0

    /// Takes the channel over; `open` begins.
    init(id: UInt64, peer: String, channel: Channel, server: ServerCore) {
        self.id = id
        self.peer = peer
        self.channel = channel
        self.server = server
        scanner = HeadScanner(limits: server.limits)
        chunks = ChunkGuard(limits: server.limits)
        isHandshaking = channel.isTLS
        deadline = server.now + (channel.isTLS ? server.limits.progressSeconds : server.limits.idleSeconds)
    }

    /// Begins to read.
    func open() {
        let context = Unmanaged.passUnretained(self).toOpaque()
        channel.open(connectionCallbacks, context: context, watermark: server.limits.readWatermark)
    }

    /// The TLS handshake is done.
    func handshakeEnded() {
        isHandshaking = false
        certificate = channel.certificate
        deadline = server.now + server.limits.idleSeconds
    }

    /// The socket or TLS failed.
    func broke() {
        if isHandshaking { tellHandshakeFailure(channel.takeHandshakeFault(hasEnded: false)) }
        clientHasLeft()
        close()
    }

    /// The client left; whoever answered it is told, once, if the answer had not come to its end.
    func clientHasLeft() {
        guard let tell = clientLeft else { return }
        clientLeft = nil
        Task { @concurrent in await tell() }
    }

    /// Tells of a handshake that comes to nothing.
    func tellHandshakeFailure(_ fault: (problem: HandshakeFailure.Problem, reason: String)) {
        server.counters.countHandshakeFailure()
        server.handshakeFailed?(
            HandshakeFailure(
                peer: peer,
                subject: channel.shownSubject,
                problem: fault.problem,
                reason: fault.reason
            )
        )
    }

    /// The client, as requests name it.
    var client: HeadScanner.Client { HeadScanner.Client(peer: peer, tls: certificate, isSecure: channel.isTLS) }

    /// Begins a head, a body or an answer that may take `seconds` as a whole: a byte now and then would otherwise hold
    /// a connection for ever.
    func begin(_ next: Phase, seconds: Double) {
        phase = next
        partEnd = server.now + seconds
        expectProgress()
    }

    /// Gives the client time to go on with the part under way.
    func expectProgress() { deadline = min(server.now + server.limits.progressSeconds, partEnd) }

    /// Counts a body of that length, or of that length so far.
    func holdBody(_ bytes: Int) throws(RequestFault) {
        guard bytes > 1 << 20, bytes > heldBytes else { return }
        guard server.counters.takeBodyRoom(bytes - heldBytes, within: server.limits.largeBodiesBytes) else {
            throw RequestFault(.overloaded, "too many large bodies are in flight")
        }
        heldBytes = bytes
    }

    /// The request with the body has been answered, or will not be.
    func releaseBody() {
        guard heldBytes > 0 else { return }
        server.counters.giveBodyRoom(heldBytes)
        heldBytes = 0
    }

    /// Frees the socket at once and leaves the server's table. Ends what the responder does for this client.
    func close() {
        guard phase != .closed else { return }
        phase = .closed
        task?.cancel()
        task = nil
        dribble = nil
        clientLeft = nil
        releaseBody()
        channel.close()
        server.forget(self)
    }

    /// Resets the connection instead of closing it.
    func reset() {
        channel.reset()
        close()
    }
}

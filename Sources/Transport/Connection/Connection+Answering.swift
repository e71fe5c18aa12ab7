internal import Web

extension Connection {
    /// Performs the delivery of an answer; the broken ones are in `Connection+Faults.swift`.
    func deliver(_ response: HTTPResponse) {
        releaseBody()
        form.keepsAlive = form.keepsAlive && parser.keepsAlive && parser.isComplete && mayGoOn
        clientLeft = response.clientLeft
        switch response.delivery {
        case .normal: break
        case .thenClose: form.keepsAlive = false
        default: return deliverBroken(response)
        }
        server.writer.write(response, form)
        transmit(server.writer.bytes[...])
        server.writer.shrink()
    }

    /// Sends the last bytes of an answer and goes on when the client has taken them.
    func transmit(_ bytes: ArraySlice<UInt8>) {
        begin(.sending, seconds: server.limits.answerSeconds)
        switch bytes.withUnsafeBytes({ channel.send($0) }) {
        case .all: answerSent()
        case .waiting: unwrittenThen = channel.unwritten
        case .failed:
            clientHasLeft()
            close()
        }
    }

    /// Sends bytes that are not an answer. False when the client has gone.
    func send(_ bytes: [UInt8]) -> Bool {
        switch bytes.withUnsafeBytes({ channel.send($0) }) {
        case .all, .waiting: true
        case .failed: false
        }
    }

    /// The channel's output buffer ran empty.
    func outputEmptied() {
        if phase == .sending, channel.unwritten == 0 { answerSent() }
    }

    /// Whether another request may be read after this one's answer. A client that ended its side may have sent some ahead.
    private var mayGoOn: Bool { !server.isEnding && (!clientEnded || channel.unread > 0) }

    /// The answer has left: the next request, or the end.
    func answerSent() {
        clientLeft = nil
        // Both may have come after the answer said that the connection stays.
        guard form.keepsAlive, mayGoOn else { return beginDraining() }
        phase = .idle
        deadline = server.now + server.limits.idleSeconds
        scanner.reset()
        head = nil
        rules = HeadRules()
        chunks = ChunkGuard(limits: server.limits)
        form = AnswerWriter.Form()
        isJudged = false
        bodyBegan = false
        channel.resumeReading()
        if channel.unread > 0 { bytesArrived() }
        if clientEnded, lacksBytes { close() }
    }

    /// Ends the sending side and waits a little for the client, because closing a socket with unread bytes resets it
    /// and the client may lose the answer.
    func beginDraining() {
        channel.shutdownWriting()
        guard !clientEnded else { return close() }
        phase = .draining
        deadline = server.now + server.limits.drainSeconds
        channel.resumeReading()
        drainBudget += server.limits.drainBytes + channel.discardUnread()
        drain()
    }

    /// The deadline passed.
    func expire() {
        switch phase {
        case .head, .body, .judging:
            refuse(RequestFault(.timeout, "the request did not arrive in time"))
        case .sending where channel.unwritten < unwrittenThen && server.now < partEnd:
            unwrittenThen = channel.unwritten
            expectProgress()
        case .idle, .sending, .dribbling, .stalling, .draining:
            if isHandshaking {
                tellHandshakeFailure((problem: .timeout, reason: "the client did not go on with the handshake in time"))
            }
            close()
        case .answering, .closed: break
        }
    }
}

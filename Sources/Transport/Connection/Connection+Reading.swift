internal import Web

extension Connection {
    /// The channel has bytes.
    func bytesArrived() {
        switch phase {
        case .idle:
            let idleEnd = deadline
            begin(.head, seconds: server.limits.headSeconds)
            readRequest()
            if phase == .head, !scanner.hasBegun {
                // Nothing but empty lines, which some clients send after a body: that is not a request under way.
                phase = .idle
                deadline = idleEnd
            }
        case .head, .body, .judging:
            expectProgress()
            readRequest()
        case .draining: drain()
        case .stalling: _ = channel.discardUnread()
        case .answering, .sending, .dribbling, .closed: break
        }
        // Above the watermark libevent would call again and again until the bytes are taken, so reading stops here.
        if phase != .closed, channel.unread >= server.limits.readWatermark { channel.pauseReading() }
    }

    /// Reads what has arrived, up to the end of one request.
    func readRequest() {
        while channel.unread > 0 {
            switch phase {
            case .idle, .head: channel.read { readHead($0) }
            case .body, .judging:
                guard !parser.isComplete else { return }
                channel.read { readBody($0) }
            case .answering, .sending, .dribbling, .stalling, .draining, .closed: return
            }
        }
        if phase == .body, !isJudged { judge() }
    }

    /// Takes a piece of a head and says how many bytes of it were used.
    private func readHead(_ piece: UnsafeRawBufferPointer) -> Int {
        do throws(RequestFault) {
            guard case .complete(let unused) = try scanner.append(piece) else { return piece.count }
            try headEnded()
            return piece.count - unused
        } catch {
            refuse(error)
            return piece.count
        }
    }

    /// The head is complete: checks it, then answers or waits for the body.
    private func headEnded() throws(RequestFault) {
        guard let line = scanner.line, let request = scanner.request(of: client, rules: &rules) else { return }
        head = request
        form.isHead = request.method == .head
        form.isOldVersion = line.isOldVersion
        try rules.check(request, isOldVersion: line.isOldVersion)
        try parser.readHead(scanner.bytes)
        if let length = parser.declaredLength, length > UInt64(server.limits.bodyBytes) {
            throw RequestFault(.bodyTooLarge, "the body is larger than \(server.limits.bodyBytes) bytes")
        }
        if let length = parser.declaredLength { try holdBody(Int(length)) }
        if parser.isComplete { return answer() }
        begin(.body, seconds: server.limits.bodySeconds)
    }

    /// Takes a piece of a body and says how many bytes of it were used.
    private func readBody(_ piece: UnsafeRawBufferPointer) -> Int {
        let bytes = piece.bindMemory(to: UInt8.self)
        bodyBegan = true
        do throws(RequestFault) {
            if parser.isChunked { try chunks.check(bytes) }
            let used = try parser.readBody(bytes)
            try holdBody(parser.body.count)
            if parser.isComplete, phase == .body { answer() }
            return used
        } catch {
            refuse(error)
            return piece.count
        }
    }

    /// The client ended its side. A request under way is cancelled, but its answer is still sent, and so are those of
    /// whole requests behind it: some clients close their side after the last request and read on. Over TLS libevent also
    /// stops writing then, so the connection ends.
    func clientSentLastByte() {
        clientEnded = true
        if isHandshaking { tellHandshakeFailure(channel.takeHandshakeFault(hasEnded: true)) }
        // Without TLS a client that is sent something may have ended its sending side only.
        if channel.isTLS || phase == .stalling { clientHasLeft() }
        guard !channel.isTLS, !lacksBytes else { return close() }
        switch phase {
        case .answering: task?.cancel()
        case .judging, .sending, .dribbling: break
        case .idle, .head, .body, .stalling, .draining, .closed: close()
        }
    }

    /// Whether the connection cannot go on without more bytes of the client.
    var lacksBytes: Bool {
        switch phase {
        case .idle, .head, .body: true
        case .judging: !parser.isComplete
        case .answering, .sending, .dribbling, .stalling, .draining, .closed: false
        }
    }

    /// Throws away what arrives after the last answer. Beyond the budget reading stops and the client is waited for
    /// without reading, so that it can take the answer before the socket is freed.
    func drain() {
        drainBudget -= channel.discardUnread()
        if drainBudget < 0 { channel.pauseReading() }
    }
}

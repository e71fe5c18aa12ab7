internal import Web

/// The deliveries that are broken on purpose, one place for all (CONTRACT, section 6).
extension Connection {
    /// What is still to be sent of an answer that goes out in pieces.
    struct Dribble {
        var rest: ArraySlice<UInt8>
        let pieceBytes: Int
        /// How long the client may take nothing, beyond the pause that is wanted.
        let patience: Double
        /// Freed with this value, on the loop thread.
        let timer: LoopTimer
    }

    /// Performs every delivery but the ordinary ones. The header fields are those of the answer that is broken: they do
    /// not announce the end of the connection.
    func deliverBroken(_ response: HTTPResponse) {
        switch response.delivery {
        case .normal, .thenClose: break
        case .reset: reset()
        case .empty: end(after: [])
        case .garbage(let bytes): end(after: bytes[...])
        case .stall: stall()
        case .close:
            server.writer.write(response, form)
            end(after: server.writer.bytes[..<server.writer.headCount])
        case .truncate:
            server.writer.write(response, form)
            let bytes = server.writer.bytes
            end(after: bytes[..<(server.writer.headCount + (bytes.count - server.writer.headCount) / 2)])
        case .contentLength(let length):
            form.falseLength = length
            server.writer.write(response, form)
            end(after: server.writer.bytes[...])
        case .dribble(let bytes, let milliseconds): dribble(response, bytes, milliseconds)
        }
        server.writer.shrink()
    }

    /// Sends these bytes and no more, then FIN.
    private func end(after bytes: ArraySlice<UInt8>) {
        form.keepsAlive = false
        if bytes.isEmpty {
            phase = .sending
            answerSent()
        } else {
            transmit(bytes)
        }
    }

    // MARK: Stalls

    /// Waits for the client to leave. What it still sends is thrown away, because its end comes after that.
    private func stall() {
        if clientEnded { clientHasLeft() }
        guard !server.isStopping, !clientEnded else { return close() }
        form.keepsAlive = false
        phase = .stalling
        deadline = server.now + server.limits.stallSeconds
        _ = channel.discardUnread()
        channel.resumeReading()
    }

    // MARK: Dribbles

    /// Sends the header fields, then the body piece by piece.
    private func dribble(_ response: HTTPResponse, _ pieceBytes: Int, _ milliseconds: Int) {
        server.writer.write(response, form)
        let head = server.writer.bytes[..<server.writer.headCount]
        let body = server.writer.bytes[server.writer.headCount...]
        let pause = Double(max(1, milliseconds)) / 1_000
        // The connection owns the timer, by way of `dribble`.
        let timer = server.repeating(seconds: pause) { [unowned self] in sendPiece() }
        guard !body.isEmpty, let timer else { return transmit(server.writer.bytes[...]) }
        phase = .dribbling
        dribble = Dribble(
            rest: body,
            pieceBytes: max(1, pieceBytes),
            patience: pause + server.limits.progressSeconds,
            timer: timer
        )
        deadline = server.now + pause + server.limits.progressSeconds
        guard send(Array(head)) else {
            clientHasLeft()
            return close()
        }
        timer.start()
    }

    /// The pause is over. A client that has not taken the last piece gets no other one.
    private func sendPiece() {
        guard phase == .dribbling, let state = dribble, channel.unwritten == 0 else { return }
        let piece = state.rest.prefix(state.pieceBytes)
        guard piece.count < state.rest.count else { return finishDribble() }
        dribble?.rest = state.rest.dropFirst(piece.count)
        deadline = server.now + state.patience
        guard send(Array(piece)) else {
            clientHasLeft()
            return close()
        }
    }

    /// Sends what is left at once.
    private func finishDribble() {
        guard let rest = dribble?.rest else { return }
        dribble = nil
        transmit(rest)
    }

    // MARK: The server's end

    /// The server stops: nobody waits for a pause that was made on purpose.
    func serverStops() {
        switch phase {
        case .idle, .stalling: close()
        case .dribbling:
            form.keepsAlive = false
            finishDribble()
        case .head, .body, .judging, .answering, .sending, .draining, .closed: break
        }
    }
}

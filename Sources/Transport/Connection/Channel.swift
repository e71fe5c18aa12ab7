internal import CLibevent
internal import COpenSSL
internal import Glibc
internal import Web

/// The socket of one connection, of a server or a client: a bufferevent, plain or TLS. Loop thread only.
///
/// Owns the bufferevent, and with it the descriptor and the `SSL`; `close` frees all three.
final class Channel {
    /// What became of bytes that were sent.
    enum Sent {
        /// The kernel has them all.
        case all
        /// Some wait in the output buffer; `flushed` is called when they are gone.
        case waiting
        /// The client has gone.
        case failed
    }

    /// Nil once closed.
    private(set) var raw: OpaquePointer?
    private var isReading = true
    private let descriptor: Int32
    /// Nil for plain HTTP. Borrowed: the bufferevent frees it.
    let ssl: OpaquePointer?

    /// Takes `raw`, which must close its descriptor when it is freed.
    init(takingOwnershipOf raw: OpaquePointer, ssl: OpaquePointer?) {
        self.raw = raw
        self.ssl = ssl
        descriptor = bufferevent_getfd(raw)
    }

    deinit { close() }

    /// Whether a handshake comes before the first request.
    var isTLS: Bool { ssl != nil }

    /// The client's certificate, once the handshake is done.
    var certificate: TLSPeer? { raw == nil ? nil : ssl.flatMap { PeerCertificate.read($0) } }

    /// The subject of the certificate that the client has shown so far.
    var shownSubject: String? { raw == nil ? nil : ssl.flatMap { PeerCertificate.shownSubject($0) } }

    /// Starts reading, at most `watermark` bytes ahead. `context` is given to the callbacks and not retained.
    ///
    /// Over TLS the owner must pause at the watermark itself: libevent would stop within a record, and nothing on the
    /// socket tells it later that OpenSSL still holds the rest.
    func open(_ callbacks: ChannelCallbacks, context: UnsafeMutableRawPointer, watermark: Int) {
        guard let raw else { return }
        bufferevent_setcb(raw, callbacks.read, callbacks.write, callbacks.event, context)
        bufferevent_setwatermark(raw, shim_EV_READ, 0, isTLS ? 0 : watermark)
        bufferevent_enable(raw, shim_EV_READ | shim_EV_WRITE)
    }

    /// Lends the first stretch of unread bytes; `body` says how many of them are done with.
    func read(_ body: (UnsafeRawBufferPointer) -> Int) {
        guard let raw, let input = bufferevent_get_input(raw) else { return }
        let count = evbuffer_get_contiguous_space(input)
        guard count > 0, let start = evbuffer_pullup(input, count) else { return }
        let used = body(UnsafeRawBufferPointer(start: start, count: count))
        // The callee may have closed the channel, which frees the buffer.
        if used > 0, self.raw != nil { evbuffer_drain(input, used) }
    }

    /// Bytes that arrived and are not read.
    var unread: Int {
        guard let raw, let input = bufferevent_get_input(raw) else { return 0 }
        return evbuffer_get_length(input)
    }

    /// Bytes that are still to be written.
    var unwritten: Int {
        guard let raw, let output = bufferevent_get_output(raw) else { return 0 }
        return evbuffer_get_length(output)
    }

    /// Throws away what arrived and was not read; says how much that was.
    func discardUnread() -> Int {
        guard let raw, let input = bufferevent_get_input(raw) else { return 0 }
        let count = evbuffer_get_length(input)
        if count > 0 { evbuffer_drain(input, count) }
        return count
    }

    /// Sends bytes in order. A plain socket with nothing waiting is written at once, which saves a round of the loop.
    func send(_ bytes: UnsafeRawBufferPointer) -> Sent {
        guard let raw, let output = bufferevent_get_output(raw), let start = bytes.baseAddress else { return .failed }
        var done = 0
        if ssl == nil, evbuffer_get_length(output) == 0 {
            done = Glibc.send(descriptor, start, bytes.count, Int32(MSG_NOSIGNAL))
            if done == bytes.count { return .all }
            if done < 0 {
                guard errno == EAGAIN || errno == EINTR else { return .failed }
                done = 0
            }
        }
        return evbuffer_add(output, start + done, bytes.count - done) == 0 ? .waiting : .failed
    }

    /// Whether the other side has neither sent a byte nor ended, as far as the system knows: newer than libevent's word.
    var isSilent: Bool {
        guard raw != nil, unread == 0 else { return false }
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) < 0 && errno == EAGAIN
    }

    /// Stops reading; the client then feels the back-pressure.
    func pauseReading() {
        guard let raw, isReading else { return }
        isReading = false
        bufferevent_disable(raw, shim_EV_READ)
    }

    /// Reads again after `pauseReading`.
    func resumeReading() {
        guard let raw, !isReading else { return }
        isReading = true
        bufferevent_enable(raw, shim_EV_READ)
    }

    /// Says that nothing more will be sent; reading goes on.
    func shutdownWriting() {
        // Once closed, the descriptor's number may be another connection's.
        guard raw != nil else { return }
        if let ssl {
            ERR_clear_error()
            SSL_shutdown(ssl)
            ERR_clear_error()
        }
        Glibc.shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Frees everything so that the other side sees a reset, also of what was sent before.
    func reset() {
        guard raw != nil else { return }
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        // No closing alert may go before it.
        if let ssl { SSL_set_quiet_shutdown(ssl, 1) }
        close()
    }

    /// Frees everything; may be called twice, also from a callback of this channel.
    func close() {
        guard let raw else { return }
        self.raw = nil
        endTLS()
        bufferevent_free(raw)
    }

    /// Sends the closing alert, when it was not sent and the socket takes it. OpenSSL would not resume a session that ended
    /// without the client's alert, but that spoils no session (RFC 5246, section 7.2.1).
    private func endTLS() {
        guard let ssl, SSL_is_init_finished(ssl) == 1 else { return }
        ERR_clear_error()
        SSL_shutdown(ssl)
        ERR_clear_error()
        SSL_set_shutdown(ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN)
    }
}

/// The C functions of a channel's owner.
struct ChannelCallbacks {
    let read: bufferevent_data_cb
    /// Nil when nobody waits for the output buffer.
    let write: bufferevent_data_cb?
    let event: bufferevent_event_cb
}

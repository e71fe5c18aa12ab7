internal import CLibevent
internal import Glibc

/// A listening socket in the loop. Loop thread only; owns libevent's listener and with it the socket.
final class Listener {
    /// Where it listens.
    let address: BoundAddress
    private let raw: OpaquePointer
    private var isPaused = false

    /// Binds and accepts. `acceptor` must outlive the listener: libevent holds it without a reference.
    init(host: String, port: UInt16, loop: EventLoop, acceptor: Acceptor) throws(TransportFault) {
        let descriptor = try ListeningSocket.open(host: host, port: port)
        address = ListeningSocket.address(of: descriptor)
        let flags = shim_LEV_OPT_CLOSE_ON_FREE | shim_LEV_OPT_CLOSE_ON_EXEC
        let context = Unmanaged.passUnretained(acceptor).toOpaque()
        // Backlog 0: the socket listens already.
        guard let raw = evconnlistener_new(loop.base, clientCame, context, flags, 0, descriptor) else {
            close(descriptor)
            throw .system(call: "evconnlistener_new", number: errno)
        }
        self.raw = raw
        evconnlistener_set_error_cb(raw, acceptFailed)
    }

    deinit { evconnlistener_free(raw) }

    /// Stops accepting; false when it had stopped before.
    func pause() -> Bool {
        guard !isPaused else { return false }
        isPaused = true
        evconnlistener_disable(raw)
        return true
    }

    /// Accepts again.
    func resume() {
        guard isPaused else { return }
        isPaused = false
        evconnlistener_enable(raw)
    }
}

/// libevent's call on the loop thread, once for each client.
private func clientCame(
    _ listener: OpaquePointer?,
    _ descriptor: Int32,
    _ address: UnsafeMutablePointer<sockaddr>?,
    _ size: Int32,
    _ context: UnsafeMutableRawPointer?
) {
    guard let context, let address else { return }
    let acceptor = Unmanaged<Acceptor>.fromOpaque(context).takeUnretainedValue()
    acceptor.accept(descriptor, peer: SocketAddress.host(address))
}

/// Most often no descriptor is left. Accepting pauses until the acceptor's next tick, instead of spinning.
private func acceptFailed(_ listener: OpaquePointer?, _ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    Unmanaged<Acceptor>.fromOpaque(context).takeUnretainedValue().pause()
}

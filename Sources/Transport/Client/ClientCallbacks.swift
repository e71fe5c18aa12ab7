internal import CLibevent
internal import Glibc

// libevent's calls, on the loop thread. The context is not retained: a connection frees its bufferevent before it leaves
// the client's table, and libevent makes no call after that.

/// The callbacks of every client connection.
let clientCallbacks = ChannelCallbacks(read: bytesArrived, write: nil, event: channelChanged)

/// Holds the connection for the length of the call, because the call may close it.
private func withConnection(_ context: UnsafeMutableRawPointer?, _ body: (ClientConnection) -> Void) {
    guard let context else { return }
    let connection = Unmanaged<ClientConnection>.fromOpaque(context).takeUnretainedValue()
    withExtendedLifetime(connection) { body(connection) }
}

/// New bytes are in the input buffer.
private func bytesArrived(_ raw: OpaquePointer?, _ context: UnsafeMutableRawPointer?) {
    withConnection(context) { $0.bytesArrived() }
}

/// Handshake, end or error.
private func channelChanged(_ raw: OpaquePointer?, _ what: Int16, _ context: UnsafeMutableRawPointer?) {
    let number = errno
    withConnection(context) { connection in
        if what & shim_BEV_EVENT_ERROR != 0 {
            // A plain socket that cannot be written may still hold an answer; reading says so.
            if what & shim_BEV_EVENT_WRITING != 0, connection.mayStillRead { return }
            connection.broke(number)
        } else if what & shim_BEV_EVENT_EOF != 0 {
            connection.serverEnded()
        } else if what & shim_BEV_EVENT_CONNECTED != 0 {
            connection.handshakeEnded()
        }
    }
}

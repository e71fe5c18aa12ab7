internal import CLibevent

// libevent's calls, on the loop thread. The context is not retained: a connection frees its bufferevent before it leaves
// the server's table, and libevent makes no call after that.

/// The callbacks of every server connection.
let connectionCallbacks = ChannelCallbacks(read: bytesArrived, write: outputEmptied, event: channelChanged)

/// Holds the connection for the length of the call, because the call may close it.
private func withConnection(_ context: UnsafeMutableRawPointer?, _ body: (Connection) -> Void) {
    guard let context else { return }
    let connection = Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
    withExtendedLifetime(connection) { body(connection) }
}

/// New bytes are in the input buffer.
private func bytesArrived(_ raw: OpaquePointer?, _ context: UnsafeMutableRawPointer?) {
    withConnection(context) { $0.bytesArrived() }
}

/// The output buffer ran empty.
private func outputEmptied(_ raw: OpaquePointer?, _ context: UnsafeMutableRawPointer?) {
    withConnection(context) { $0.outputEmptied() }
}

/// Handshake, end or error.
private func channelChanged(_ raw: OpaquePointer?, _ what: Int16, _ context: UnsafeMutableRawPointer?) {
    withConnection(context) { connection in
        if what & shim_BEV_EVENT_ERROR != 0 {
            connection.broke()
        } else if what & shim_BEV_EVENT_EOF != 0 {
            connection.clientSentLastByte()
        } else if what & shim_BEV_EVENT_CONNECTED != 0 {
            connection.handshakeEnded()
        }
    }
}

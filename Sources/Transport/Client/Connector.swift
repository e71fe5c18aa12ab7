internal import CLibevent
internal import Glibc
internal import Web

/// Connects to the first of several addresses that takes the connection. Loop thread only; owns the socket until it is
/// handed over.
final class Connector {
    private let base: OpaquePointer
    private var targets: ArraySlice<SocketTarget>
    private var descriptor: Int32 = -1
    private var event: OpaquePointer?
    private var lastError: Int32 = 0
    private let done: (Result<Int32, HTTPCallFault>) -> Void

    /// `done` is called once, on the loop thread, with a descriptor that the callee owns; perhaps within `start`.
    init(base: OpaquePointer, targets: [SocketTarget], done: @escaping (Result<Int32, HTTPCallFault>) -> Void) {
        self.base = base
        self.targets = targets[...]
        self.done = done
    }

    deinit { cancel() }

    /// Tries the next address.
    func start() {
        while let target = targets.popFirst() {
            let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
            descriptor = socket(target.family, type, 0)
            guard descriptor >= 0 else {
                lastError = errno
                continue
            }
            var one: Int32 = 1
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
            if connect(to: target) == 0 { return succeed() }
            lastError = errno
            if lastError == EINPROGRESS, wait() { return }
            closeSocket()
        }
        done(.failure(Self.fault(lastError)))
    }

    /// Gives the attempt up; `done` is not called.
    func cancel() {
        targets = []
        closeSocket()
    }

    /// The socket can be written, or has failed.
    fileprivate func connected() {
        var status: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        if getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &status, &size) != 0 { status = errno }
        guard status != 0 else { return succeed() }
        lastError = status
        closeSocket()
        start()
    }

    private func connect(to target: SocketTarget) -> Int32 {
        target.bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return -1 }
            return Glibc.connect(descriptor, base.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
        }
    }

    /// Has the loop say when the attempt ended; false when memory is short.
    private func wait() -> Bool {
        let context = Unmanaged.passUnretained(self).toOpaque()
        event = event_new(base, descriptor, shim_EV_WRITE, attemptEnded, context)
        return event.map { event_add($0, nil) == 0 } ?? false
    }

    private func succeed() {
        let connected = descriptor
        descriptor = -1
        closeSocket()
        done(.success(connected))
    }

    private func closeSocket() {
        if let event { event_free(event) }
        event = nil
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }

    /// Whether an error number means that the other side reset the connection.
    static func isReset(_ number: Int32) -> Bool { number == ECONNRESET || number == EPIPE }

    private static func fault(_ number: Int32) -> HTTPCallFault {
        switch number {
        case ECONNREFUSED: .refused
        case ECONNRESET: .reset
        case ETIMEDOUT: .timeout(during: .connecting)
        default: .unreachable(reason: TransportFault.text(of: number))
        }
    }
}

/// libevent's call on the loop thread. The connector may be let go of within it.
private func attemptEnded(_ descriptor: Int32, _ what: Int16, _ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    let connector = Unmanaged<Connector>.fromOpaque(context).takeUnretainedValue()
    withExtendedLifetime(connector) { connector.connected() }
}

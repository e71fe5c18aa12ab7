internal import CLibevent
internal import Glibc

/// A bound, listening TCP socket, before libevent takes it. Pure system calls, no libevent.
enum ListeningSocket {
    /// Opens a socket on the first address of `host` that works. The caller owns the descriptor.
    static func open(host: String, port: UInt16) throws(TransportFault) -> Int32 {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, String(port), &hints, &list)
        defer { if let list { freeaddrinfo(list) } }
        guard status == 0 else {
            throw .badHost(host: host, reason: gai_strerror(status).map { String(cString: $0) } ?? "unknown")
        }
        var fault = TransportFault.badHost(host: host, reason: "no address")
        var next = list
        while let candidate = next {
            do throws(TransportFault) {
                return try open(candidate.pointee, host: host, port: port)
            } catch {
                fault = error
            }
            next = candidate.pointee.ai_next
        }
        throw fault
    }

    private static func open(_ address: addrinfo, host: String, port: UInt16) throws(TransportFault) -> Int32 {
        let flags = Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(address.ai_family, address.ai_socktype | flags, address.ai_protocol)
        guard descriptor >= 0 else { throw .system(call: "socket", number: errno) }
        var on: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, size)
        // Accepted sockets inherit it. Without it an answer waits for the client's delayed acknowledgement.
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, size)
        // listen() refuses too: two sockets may be bound with SO_REUSEADDR while neither listens.
        guard bind(descriptor, address.ai_addr, address.ai_addrlen) == 0, listen(descriptor, 1_024) == 0 else {
            let number = errno
            close(descriptor)
            switch number {
            case EADDRINUSE: throw .addressInUse(host: host, port: port)
            case EACCES, EPERM: throw .permissionDenied(host: host, port: port)
            case EADDRNOTAVAIL: throw .badHost(host: host, reason: "not an address of this machine")
            default: throw .system(call: "bind", number: number)
            }
        }
        return descriptor
    }

    /// Where the socket listens.
    static func address(of descriptor: Int32) -> BoundAddress {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                getsockname(descriptor, address, &size)
                return BoundAddress(host: SocketAddress.host(address), port: SocketAddress.port(address))
            }
        }
    }
}

import Glibc
import Transport

/// A blocking server for one client: reads a request's head, sends exactly the bytes it is told to, and ends as told.
final class RawServer: Sendable {
    /// What comes after the bytes.
    enum End: Sendable {
        case close
        case reset
        /// Waits for the client to leave.
        case hold
        /// Waits for another head, and answers it in the same way; closes when the client leaves.
        case again
    }

    let port: UInt16
    private let descriptor: Int32

    init() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        self.descriptor = descriptor
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                let bound = bind(descriptor, raw, size)
                return bound == 0 ? getsockname(descriptor, raw, &size) : bound
            }
        }
        guard status == 0, listen(descriptor, 8) == 0 else { throw RawClient.Failure.cannotConnect(errno) }
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(descriptor) }

    /// Serves one client and gives the bytes it sent. Every wait ends after ten seconds.
    func serve(_ answer: [UInt8], _ end: End) throws -> String {
        var wait = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
        let client = accept(descriptor, nil, nil)
        guard client >= 0 else { throw RawClient.Failure.timeout }
        defer { close(client) }
        setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
        var request = try Self.read(client, until: { $0.hasSuffix("\r\n\r\n") || $0.first == "\u{16}" })
        _ = answer.withUnsafeBytes { send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        switch end {
        case .close:
            shutdown(client, Int32(SHUT_WR))
            _ = try? Self.read(client, until: { _ in false })
        case .reset:
            var option = linger(l_onoff: 1, l_linger: 0)
            setsockopt(client, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        case .hold: request += try Self.read(client, until: { _ in false })
        case .again:
            while case let more = try Self.read(client, until: { $0.hasSuffix("\r\n\r\n") }), !more.isEmpty {
                request += more
                _ = answer.withUnsafeBytes { send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            }
        }
        return request
    }

    /// Reads until the text is as wanted, or the client ended.
    private static func read(_ descriptor: Int32, until isDone: (String) -> Bool) throws -> String {
        var text = ""
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &piece, piece.count, 0)
            if count < 0, errno == EAGAIN { throw RawClient.Failure.timeout }
            if count <= 0 { return text }
            text += String(decoding: piece[..<count], as: UTF8.self)
            if isDone(text) { return text }
        }
    }
}

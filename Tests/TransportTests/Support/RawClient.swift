import Glibc
import Transport

/// A blocking client that sends exactly the bytes it is told to. Every wait is bounded. Not for the cooperative pool:
/// use it in the closure of `withServer`, which has a thread of its own.
final class RawClient {
    enum Failure: Error, Equatable {
        case cannotConnect(Int32)
        case timeout
        case reset
        case closed(received: String)
        case notHTTP(String)
        case failed(Int32)
    }

    /// One answer, read to its end.
    struct Answer: Equatable {
        var status: Int
        var headers: [(name: String, value: String)]
        var body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }
        subscript(name: String) -> String? { headers.first { $0.name.lowercased() == name }?.value }

        static func == (left: Self, right: Self) -> Bool { left.status == right.status && left.body == right.body }
    }

    /// Nil for plain HTTP.
    private(set) var tls: TLSClient?
    private let descriptor: Int32
    private var buffer: [UInt8] = []

    init(
        _ address: BoundAddress,
        tls: TLSClient.Options? = nil,
        resuming session: TLSClient.Session? = nil,
        seconds: Int = 10
    ) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var wait = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
        var target = sockaddr_in()
        target.sin_family = sa_family_t(AF_INET)
        target.sin_port = address.port.bigEndian
        inet_pton(AF_INET, address.host, &target.sin_addr)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafePointer(to: &target) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
        }
        guard status == 0 else { throw Failure.cannotConnect(errno) }
        if let tls { self.tls = try TLSClient(descriptor, tls, resuming: session) }
    }

    deinit { close(descriptor) }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                let rest = UnsafeRawBufferPointer(rebasing: buffer[sent...])
                return tls?.send(rest) ?? Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw failure() }
            sent += count
        }
    }

    /// A GET, or another method with a body, as most clients send it.
    func request(_ method: String, _ target: String, headers: String = "", body: String = "") throws {
        let length = body.isEmpty ? "" : "Content-Length: \(body.utf8.count)\r\n"
        try send("\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n\(headers)\(length)\r\n\(body)")
    }

    /// Ends the sending side; answers can still be read.
    func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Closes so that the server sees a reset.
    func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// The next answer; `headOnly` for an answer to HEAD.
    func answer(headOnly: Bool = false) throws -> Answer {
        while true {
            if let end = headEnd() {
                var answer = try parseHead(buffer[..<end])
                let length = headOnly ? 0 : answer["content-length"].flatMap { Int($0) } ?? 0
                while buffer.count < end + 4 + length { try receive() }
                answer.body = Array(buffer[(end + 4)..<(end + 4 + length)])
                buffer.removeFirst(end + 4 + length)
                return answer
            }
            try receive()
        }
    }

    /// Everything up to the end of the connection.
    func rest() throws -> String {
        do {
            while true { try receive() }
        } catch Failure.closed {
            return String(decoding: buffer, as: UTF8.self)
        }
    }

    /// Whether the server closed without another byte.
    func isClosed() throws -> Bool { try rest().isEmpty }

    /// What has come, as it is.
    func piece() throws -> [UInt8] {
        if buffer.isEmpty { try receive() }
        defer { buffer = [] }
        return buffer
    }

    /// Reads a piece of what has come, and forgets it.
    func take() throws {
        try receive()
        buffer = []
    }

    private func receive() throws {
        var piece = [UInt8](repeating: 0, count: 65_536)
        let count = piece.withUnsafeMutableBytes { buffer in
            tls?.receive(buffer) ?? recv(descriptor, buffer.baseAddress, buffer.count, 0)
        }
        guard count >= 0 else { throw failure() }
        guard count > 0 else { throw Failure.closed(received: String(decoding: buffer, as: UTF8.self)) }
        buffer += piece[..<count]
    }

    private func failure() -> Failure {
        switch errno {
        case EAGAIN: .timeout
        case ECONNRESET, EPIPE: .reset
        default: .failed(errno)
        }
    }

    private func headEnd() -> Int? {
        guard buffer.count >= 4 else { return nil }
        return (0...(buffer.count - 4)).first { buffer[$0...].starts(with: [13, 10, 13, 10]) }
    }

    private func parseHead(_ bytes: ArraySlice<UInt8>) throws -> Answer {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
        let words = lines[0].split(separator: " ", maxSplits: 2)
        guard words.count == 3, words[0] == "HTTP/1.1", let status = Int(words[1]) else {
            throw Failure.notHTTP(String(lines[0]))
        }
        let headers = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return (name: String(parts[0]), value: String(parts[1].drop { $0 == " " }))
        }
        return Answer(status: status, headers: headers, body: [])
    }
}

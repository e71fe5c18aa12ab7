import Glibc
import Synchronization
import Web

/// Answers by path and writes down what it was asked.
///
/// `/echo` sends the body back, `/text` a fixed text, `/size/N` N bytes, `/status/N` that status, `/wait` answers when
/// `open()` was called, `/leave` when its task is cancelled, `/close` ends the connection. `/thread` names its thread, and
/// `/away` says whether long work has another one and what follows the same again; `/busy/N` counts for N milliseconds of processor time.
/// `/fault/KIND/N` breaks an answer of N bytes. A head with `x-refuse: N` is refused with that status.
final class TestResponder: HTTPResponder {
    private let events = Mutex<[String]>([])
    private let targets = Mutex<[String?]>([])
    private let gate = Gate()

    /// What happened so far, for example `refusal /echo`, `respond /echo`, `broken framing`.
    var log: [String] { events.withLock { $0 } }

    /// What was known of the target of each broken request.
    var brokenTargets: [String?] { targets.withLock { $0 } }

    /// Lets every `/wait` go.
    func open() { gate.open() }

    /// Waits, at most 30 seconds, until `event` is in the log.
    @available(*, noasync)
    func sees(_ event: String) -> Bool { Wait.until { log.contains(event) } }

    /// Likewise in a task.
    func sees(_ event: String) async -> Bool { await Wait.until { log.contains(event) } }

    func refusal(of head: HTTPRequest) async -> HTTPResponse? {
        note("refusal \(head.target)")
        if head.headers[HTTPHeaderName("x-gate")] != nil { await gate.wait() }
        return head.headers[HTTPHeaderName("x-refuse")].flatMap { Int($0) }.map { status in
            Self.text("refused", status: status)
        }
    }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        note("respond \(request.target)")
        let parts = request.path.split(separator: "/")
        let number = parts.last.flatMap { Int($0) } ?? 0
        switch parts.first {
        case "echo": return HTTPResponse(status: 200, body: request.body)
        case "size": return HTTPResponse(status: 200, body: [UInt8](repeating: 0x78, count: number))
        case "status": return Self.text("body", status: number)
        case "target": return Self.text(request.target)
        case "headers":
            return Self.text(request.headers.fields.map { "\($0.name.text)=\($0.value)" }.joined(separator: "\n"))
        case "peer":
            guard let peer = request.tls else { return Self.text("none") }
            return Self.text("\(peer.subject) \(peer.isVerified) \(peer.reason ?? "-") \(peer.fingerprint.count)")
        case "wait": await gate.wait()
        case "leave":
            while !Task.isCancelled { await Task.yield() }
            note("cancelled \(request.target)")
        case "close":
            var response = Self.text("bye")
            response.delivery = .thenClose
            return response
        case "fault":
            let body =
                [UInt8]("abcdefghijklmnop".utf8.prefix(number)) + [UInt8](repeating: 0x7A, count: max(0, number - 16))
            var response = HTTPResponse(status: 200, body: body, delivery: Self.delivery(String(parts[1])))
            response.clientLeft = { [self] in note("left \(request.target)") }
            return response
        case "thread": return Self.text("\(Self.threadName()) \(Self.threadID())")
        case "away":
            // By their ids: a thread of the pool has the name of the loop that made it.
            let before = Self.threadID()
            let away = await OffLoop.run { Self.threadID() }
            return Self.text("\(before != away) \(before == Self.threadID())")
        case "busy":
            let start = Self.processorTime()
            while Self.processorTime() - start < Double(number) {}
        case "bad":
            return HTTPResponse(status: 200, headers: HTTPHeaders([(.contentLength, "99"), (.allow, "a\r\nb: c")]))
        default: break
        }
        return Self.text("text \(request.target)")
    }

    func respond(to broken: BrokenRequest) async -> HTTPResponse {
        note("broken \(broken.reason.rawValue)")
        targets.withLock { $0.append(broken.head?.target) }
        return Self.text("\(broken.reason.rawValue): \(broken.detail)", status: Self.status(broken.reason))
    }

    private static func delivery(_ kind: String) -> Delivery {
        switch kind {
        case "reset": .reset
        case "close": .close
        case "empty": .empty
        case "truncate": .truncate
        case "garbage": .garbage(Array("\u{1}garbage\r\n".utf8))
        case "stall": .stall
        case "dribble": .dribble(bytes: 4, everyMilliseconds: 20)
        case "drip": .dribble(bytes: 1, everyMilliseconds: 5)
        case "slow": .dribble(bytes: 1, everyMilliseconds: 60_000)
        case "flood": .dribble(bytes: 8 << 20, everyMilliseconds: 1)
        case "long": .contentLength(100)
        case "short": .contentLength(3)
        default: .normal
        }
    }

    private func note(_ event: String) { events.withLock { $0.append(event) } }

    private static func text(_ text: String, status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, headers: HTTPHeaders([(.contentType, "text/plain")]), body: Array(text.utf8))
    }

    private static func threadID() -> pthread_t { pthread_self() }

    private static func threadName() -> String {
        let descriptor = Glibc.open("/proc/thread-self/comm", O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        var name = [UInt8](repeating: 0, count: 32)
        let count = read(descriptor, &name, name.count)
        return String(decoding: name[..<max(0, count - 1)], as: UTF8.self)
    }

    /// Of the calling thread, in milliseconds.
    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1_000 + Double(time.tv_nsec) / 1_000_000
    }

    private static func status(_ reason: BrokenRequest.Reason) -> Int {
        switch reason {
        case .framing, .host: 400
        case .version: 505
        case .method, .transferCoding: 501
        case .targetTooLong: 414
        case .headersTooLarge: 431
        case .bodyTooLarge: 413
        case .expectation: 417
        case .timeout: 408
        case .overloaded: 503
        }
    }
}

/// Something that tasks wait for until it is opened, once and for all.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }
    private let state = Mutex(State())

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiters.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func open() {
        let waiters = state.withLock { state in
            defer { state.waiters = [] }
            state.isOpen = true
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}

import Glibc
import Synchronization
import Testing
import Transport

/// What one client can do to the thread that all of them share.
struct LoopTests {
    @Test func `a sender that never pauses does not hold up the others`() async throws {
        // The body never ends and never grows too large: it is all extensions.
        try await withServer(limits: { $0.headerBytes = 1 << 40 }) { server in
            let isOver = Switch()
            Task { await offPool { try Self.sendForEver(to: server, until: isOver) } }
            defer { isOver.on() }
            #expect(server.responder.sees("refusal /echo"))
            for _ in 0..<20 {
                let client = try RawClient(server.address, seconds: 5)
                try client.request("GET", "/a")
                #expect(try client.answer().status == 200)
            }
        }
    }

    @Test func `calls that come after the loop has ended are answered`() async throws {
        let loop = try EventLoop()
        let server = HTTPServer(loop: loop, configuration: ServerConfiguration(), responder: TestResponder())
        _ = try await server.start()
        await server.stop(graceSeconds: 0)
        loop.stop()
        await withTaskGroup { group in
            for _ in 0..<50 { group.addTask { await server.stop(graceSeconds: 0) } }
        }
        #expect(server.counters.connections == 0)
    }

    @Test func `the process gets the descriptors that it may have`() throws {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        getrlimit(resource, &limit)
        let wanted = min(limit.rlim_max, 65_536)
        limit.rlim_cur = min(wanted, 4_096)
        setrlimit(resource, &limit)
        let loop = try EventLoop()
        getrlimit(resource, &limit)
        #expect(limit.rlim_cur >= wanted)
        loop.stop()
    }

    @Test func `a crowd at one server leaves room at the others`() async throws {
        let loop = try EventLoop(sharedConnections: 4)
        let responder = TestResponder()
        var limits = Limits()
        limits.ownConnections = 2
        let configuration = ServerConfiguration(limits: limits)
        let crowded = HTTPServer(loop: loop, configuration: configuration, responder: responder)
        let other = HTTPServer(loop: loop, configuration: configuration, responder: responder)
        let addresses = [try await crowded.start(), try await other.start()]
        let result = await offPool {
            var crowd = try (0..<6).map { _ in try RawClient(addresses[0]) }
            func use(_ clients: [RawClient]) throws {
                for client in clients {
                    try client.request("GET", "/a")
                    #expect(try client.answer().status == 200)
                }
            }
            try use(Array(crowd[..<4]))
            let control = try (0..<2).map { _ in try RawClient(addresses[1]) }
            try use(control)
            #expect(crowded.counters.connections == 4)
            let last = crowd.removeLast()
            crowd = []
            try last.request("GET", "/last")
            #expect(try last.answer().text == "text /last")
            withExtendedLifetime(control) {}
        }
        await crowded.stop(graceSeconds: 0)
        await other.stop(graceSeconds: 0)
        loop.stop()
        try result.get()
    }

    private static func sendForEver(to server: RunningServer, until isOver: Switch) throws {
        let client = try server.client()
        try client.send("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        let extensions = [UInt8](repeating: 0x61, count: 1 << 16)
        while !isOver.isOn { try client.send(Array("1;".utf8) + extensions + Array("\r\na\r\n".utf8)) }
    }
}

/// Turned on once, seen by every thread.
private final class Switch: Sendable {
    private let state = Atomic<Bool>(false)
    var isOn: Bool { state.load(ordering: .relaxed) }
    func on() { state.store(true, ordering: .relaxed) }
}

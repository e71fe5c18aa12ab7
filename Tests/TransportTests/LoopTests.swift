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
        let loops = try EventLoops()
        let server = HTTPServer(loops: loops, configuration: ServerConfiguration(), responder: TestResponder())
        _ = try await server.start()
        await server.stop(graceSeconds: 0)
        loops.stop()
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
        let loops = try EventLoops()
        getrlimit(resource, &limit)
        #expect(limit.rlim_cur >= wanted)
        loops.stop()
    }

    @Test func `a crowd at one server leaves room at the others`() async throws {
        let loops = try EventLoops(sharedConnections: 4)
        let responder = TestResponder()
        var limits = Limits()
        limits.ownConnections = 2
        let configuration = ServerConfiguration(limits: limits)
        let crowded = HTTPServer(loops: loops, configuration: configuration, responder: responder)
        let other = HTTPServer(loops: loops, configuration: configuration, responder: responder)
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
        loops.stop()
        try result.get()
    }

    @Test func `each connection has the loop with the fewest, and its requests run there`() async throws {
        try await withServer(loops: 3) { server in
            func threads(_ clients: [RawClient]) throws -> [Substring] {
                try clients.map { client in
                    try client.request("GET", "/thread")
                    let words = try client.answer().text.split(separator: " ")
                    #expect(words.first == "loop")
                    return words[1]
                }
            }
            var clients = try (0..<6).map { _ in try server.client() }
            let first = try threads(clients)
            #expect(Dictionary(grouping: first, by: \.self).mapValues(\.count).values.sorted() == [2, 2, 2])
            #expect(try threads(clients) == first)
            // Two leave, and those who come next fill their places.
            clients.removeLast()
            clients.removeLast()
            #expect(server.reaches { $0.connections == 4 })
            clients += [try server.client(), try server.client()]
            let then = try threads(clients)
            #expect(Dictionary(grouping: then, by: \.self).mapValues(\.count).values.sorted() == [2, 2, 2])
        }
    }

    @Test func `long work leaves the loop, and what follows it comes back`() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.request("GET", "/away")
            #expect(try client.answer().text == "true true")
        }
    }

    @Test func `limits count over all loops`() async throws {
        try await withServer(loops: 3, limits: { ($0.connections, $0.requestsInFlight) = (4, 2) }) { server in
            let clients = try (0..<4).map { _ in try server.client() }
            #expect(server.reaches { $0.connections == 4 })
            let late = try server.client()
            try late.request("GET", "/late")
            for client in clients[..<2] { try client.request("GET", "/wait") }
            #expect(server.reaches { $0.requestsInFlight == 2 })
            for client in clients[2...] {
                try client.request("GET", "/a")
                #expect(try client.answer().status == 503)
            }
            #expect(server.server.counters.pauses == 1)
            server.responder.open()
            for client in clients[..<2] { #expect(try client.answer().status == 200) }
            // The two that were refused are closed, and that lets the late one in.
            #expect(try late.answer().text == "text /late")
        }
    }

    #if DEBUG
    @Test func `a step that holds a loop for long is known by its request`() async throws {
        try await withServer { server in
            let client = try server.client()
            for target in ["/busy/1", "/busy/9?a=b", "/a"] {
                try client.request("GET", target)
                #expect(try client.answer().status == 200)
            }
            let steps = server.loops.longSteps
            #expect(steps.map(\.request) == ["GET /busy/9"])
            #expect(steps.allSatisfy { $0.milliseconds >= 9 })
        }
    }
    #endif

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

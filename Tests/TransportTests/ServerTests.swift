import Glibc
import Testing
import Transport

struct ServerTests {
    @Test func `a taken port is a clear error`() async throws {
        let loops = try EventLoops()
        let first = HTTPServer(loops: loops, configuration: ServerConfiguration(), responder: TestResponder())
        let address = try await first.start()
        let second = HTTPServer(
            loops: loops,
            configuration: ServerConfiguration(port: address.port),
            responder: TestResponder()
        )
        let fault = await #expect(throws: TransportFault.self) { try await second.start() }
        #expect(fault == .addressInUse(host: "127.0.0.1", port: address.port))
        #expect(fault?.description == "127.0.0.1, port \(address.port), is already in use")
        await first.stop(graceSeconds: 0)
        await second.stop(graceSeconds: 0)
        loops.stop()
    }

    @Test(arguments: ["203.0.113.7", "no such host", ""])
    func `a host that is not here is a clear error`(host: String) async throws {
        let loops = try EventLoops()
        let server = HTTPServer(
            loops: loops,
            configuration: ServerConfiguration(host: host),
            responder: TestResponder()
        )
        let fault = await #expect(throws: TransportFault.self) { try await server.start() }
        guard case .badHost(host, _) = fault else {
            Issue.record("unexpected: \(String(describing: fault))")
            return
        }
    }

    @Test func `a name and an IPv6 address can be listened on`() async throws {
        let loops = try EventLoops()
        for (host, text) in [("localhost", nil), ("::1", "[::1]:")] {
            let server = HTTPServer(
                loops: loops,
                configuration: ServerConfiguration(host: host),
                responder: TestResponder()
            )
            // Nil on a machine without IPv6.
            let address = try? await server.start()
            guard address != nil || host == "localhost" else { continue }
            #expect(address?.port != 0)
            if let text { #expect(address?.description.hasPrefix(text) == true) }
            await server.stop(graceSeconds: 0)
        }
        loops.stop()
    }

    @Test func `several servers share a loop`() async throws {
        let loops = try EventLoops()
        var servers: [RunningServer] = []
        for name in ["api", "control"] {
            let responder = TestResponder()
            let configuration = ServerConfiguration(name: name)
            let server = HTTPServer(loops: loops, configuration: configuration, responder: responder)
            #expect(server.name == name)
            let address = try await server.start()
            servers.append(RunningServer(address: address, loops: loops, server: server, responder: responder))
        }
        let all = servers
        try await offPool {
            for server in all {
                let client = try server.client()
                try client.request("GET", "/a")
                #expect(try client.answer().status == 200)
                #expect(server.responder.log == ["respond /a"])
            }
        }.get()
        for server in all { await server.server.stop(graceSeconds: 1) }
        loops.stop()
    }

    @Test func `counters say what is under way`() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.request("GET", "/wait")
            #expect(server.reaches { $0.requestsInFlight == 1 && $0.connections == 1 && $0.accepted == 1 })
            server.responder.open()
            #expect(try client.answer().status == 200)
            #expect(server.reaches { $0.requestsInFlight == 0 })
        }
    }

    @Test func `stop closes idle connections and lets the others end`() async throws {
        try await withServer { server in
            let idle = try server.client()
            try idle.request("GET", "/a")
            #expect(try idle.answer().status == 200)
            let busy = try server.client()
            try busy.request("GET", "/wait")
            #expect(server.responder.sees("respond /wait"))
            let stopped = Task { await server.server.stop(graceSeconds: 20) }
            #expect(try idle.isClosed())
            #expect(throws: RawClient.Failure.cannotConnect(ECONNREFUSED)) { try server.client() }
            server.responder.open()
            let answer = try busy.answer()
            #expect(answer.text == "text /wait")
            #expect(answer["connection"] == "close")
            #expect(try busy.isClosed())
            withExtendedLifetime(stopped) {}
        }
    }

    @Test func `stop gives up after the grace`() async throws {
        let loops = try EventLoops()
        let responder = TestResponder()
        let server = HTTPServer(loops: loops, configuration: ServerConfiguration(), responder: responder)
        let address = try await server.start()
        let running = RunningServer(address: address, loops: loops, server: server, responder: responder)
        let client = try await offPool {
            let client = UncheckedClient(try running.client())
            try client.client.request("GET", "/leave")
            #expect(running.responder.sees("respond /leave"))
            return client
        }.get()
        await server.stop(graceSeconds: 0.1)
        try await offPool {
            #expect(running.responder.sees("cancelled /leave"))
            let isClosed = try client.client.isClosed()
            #expect(isClosed)
        }.get()
        loops.stop()
    }

    @Test func `stop before start and twice is harmless`() async throws {
        let loops = try EventLoops()
        let server = HTTPServer(loops: loops, configuration: ServerConfiguration(), responder: TestResponder())
        await server.stop(graceSeconds: 1)
        _ = try await server.start()
        async let first: Void = server.stop(graceSeconds: 1)
        async let second: Void = server.stop(graceSeconds: 1)
        _ = await (first, second)
        await server.stop(graceSeconds: 1)
        loops.stop()
        loops.stop()
    }
}

/// Hands a client from one thread to the next.
private struct UncheckedClient: @unchecked Sendable {
    // Safe because the test uses it from one thread after the other.
    let client: RawClient
    init(_ client: RawClient) { self.client = client }
}

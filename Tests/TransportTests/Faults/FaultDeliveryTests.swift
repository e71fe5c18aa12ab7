import Testing
import Transport

/// Answers that are broken on purpose, byte by byte on the wire.
struct FaultDeliveryTests {
    private static let keys = #filePath.replacing("Tests/TransportTests/Faults/FaultDeliveryTests.swift", with: "keys")

    /// Plain and TLS, GET and POST with a body.
    struct Way: CustomTestStringConvertible, Sendable {
        let isTLS: Bool
        let isPost: Bool
        var testDescription: String { (isTLS ? "TLS " : "plain ") + (isPost ? "POST" : "GET") }

        func ask(_ server: RunningServer, _ target: String) throws -> RawClient {
            let client = try server.client(tls: isTLS ? TLSClient.Options() : nil)
            if isPost {
                try client.request("POST", target, body: String(repeating: "b", count: 100_000))
            } else {
                try client.request("GET", target)
            }
            return client
        }

        var tls: TLSConfiguration? {
            guard isTLS else { return nil }
            return TLSConfiguration(
                certificateFile: FaultDeliveryTests.keys + "/tls/server.cert.pem",
                privateKeyFile: FaultDeliveryTests.keys + "/tls/server.key.pem"
            )
        }
    }

    static let ways = [false, true].flatMap { tls in [false, true].map { Way(isTLS: tls, isPost: $0) } }

    @Test(arguments: ways)
    func `reset sends no byte and resets`(_ way: Way) async throws {
        try await withServer(tls: way.tls) { server in
            for _ in 0..<20 {
                let client = try way.ask(server, "/fault/reset/10")
                #expect(throws: RawClient.Failure.reset) { try client.rest() }
            }
            #expect(server.reaches { $0.connections == 0 })
        }
    }

    @Test(arguments: ways)
    func `empty ends without a byte`(_ way: Way) async throws {
        try await withServer(tls: way.tls) { server in
            let client = try way.ask(server, "/fault/empty/10")
            #expect(try client.isClosed())
        }
    }

    @Test(arguments: ways)
    func `close ends after the header fields, which look whole`(_ way: Way) async throws {
        try await withServer(tls: way.tls) { server in
            let text = try way.ask(server, "/fault/close/10").rest()
            #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(text.hasSuffix("\r\nContent-Length: 10\r\n\r\n"))
        }
    }

    @Test(arguments: ways)
    func `truncate ends after half the body`(_ way: Way) async throws {
        try await withServer(tls: way.tls) { server in
            let text = try way.ask(server, "/fault/truncate/11").rest()
            #expect(text.hasSuffix("\r\nContent-Length: 11\r\n\r\nabcde"))
            let empty = try way.ask(server, "/fault/truncate/0").rest()
            #expect(empty.hasSuffix("\r\nContent-Length: 0\r\n\r\n"))
            let large = try way.ask(server, "/fault/truncate/3000000").rest()
            #expect(large.split(separator: "\r\n\r\n").last?.utf8.count == 1_500_000)
        }
    }

    @Test(arguments: ways)
    func `garbage is sent as it is`(_ way: Way) async throws {
        try await withServer(tls: way.tls) { server in
            let text = try way.ask(server, "/fault/garbage/10").rest()
            #expect(text == "\u{1}garbage\r\n")
        }
    }

    @Test(arguments: ways)
    func `a false Content-Length, and the connection ends`(_ way: Way) async throws {
        try await withServer(tls: way.tls) { server in
            let long = try way.ask(server, "/fault/long/5").rest()
            #expect(long.hasSuffix("\r\nContent-Length: 100\r\n\r\nabcde"))
            let short = try way.ask(server, "/fault/short/5").rest()
            #expect(short.hasSuffix("\r\nContent-Length: 3\r\n\r\nabcde"))
        }
    }

    @Test(arguments: ways)
    func `a dribbled answer arrives whole, and the connection goes on`(_ way: Way) async throws {
        try await withServer(tls: way.tls) { server in
            let client = try way.ask(server, "/fault/dribble/10")
            #expect(try client.answer().text == "abcdefghij")
            try client.request("GET", "/fault/dribble/0")
            #expect(try client.answer().body.isEmpty)
            try client.request("HEAD", "/fault/dribble/9")
            #expect(try client.answer(headOnly: true)["content-length"] == "9")
            try client.request("GET", "/a")
            #expect(try client.answer().text == "text /a")
        }
    }

    @Test(arguments: ways)
    func `a stall ends with the client`(_ way: Way) async throws {
        try await withServer(tls: way.tls) { server in
            do {
                let client = try way.ask(server, "/fault/stall")
                #expect(server.responder.sees("respond /fault/stall"))
                #expect(server.reaches { $0.requestsInFlight == 0 })
                #expect(server.server.counters.connections == 1)
                withExtendedLifetime(client) {}
            }
            #expect(server.reaches { $0.connections == 0 })
            #expect(server.responder.sees("left /fault/stall"))
        }
    }

    @Test(arguments: ways)
    func `a stall ends when its time is over, and its client did not leave`(_ way: Way) async throws {
        try await withServer(tls: way.tls, limits: { $0.stallSeconds = 0.1 }) { server in
            let client = try way.ask(server, "/fault/stall")
            #expect(try client.isClosed())
            // The next one is answered to its end: it did not leave either.
            let next = try way.ask(server, "/fault/dribble/10")
            #expect(try next.answer().text == "abcdefghij")
            #expect(!server.responder.log.contains { $0.hasPrefix("left") })
        }
    }

    @Test(arguments: ways)
    func `a client that leaves within a dribble is told of`(_ way: Way) async throws {
        try await withServer(tls: way.tls) { server in
            do {
                let client = try way.ask(server, "/fault/drip/100000")
                try client.take()
                client.reset()
            }
            #expect(server.responder.sees("left /fault/drip/100000"))
            #expect(server.reaches { $0.connections == 0 })
        }
    }

    @Test func `what a client sends during a stall is thrown away`() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.request("GET", "/fault/stall")
            #expect(server.responder.sees("respond /fault/stall"))
            for _ in 0..<64 { try client.send([UInt8](repeating: 0x61, count: 1 << 16)) }
            client.endSending()
            #expect(server.reaches { $0.connections == 0 })
        }
    }

    @Test func `a client that does not read a dribble is closed`() async throws {
        try await withServer(limits: { $0.progressSeconds = 0.2 }) { server in
            let client = try server.client()
            try client.request("GET", "/fault/flood/20000000")
            #expect(server.responder.sees("respond /fault/flood/20000000"))
            #expect(server.reaches { $0.connections == 0 })
            withExtendedLifetime(client) {}
        }
    }

    @Test func `stopping ends stalls and hurries dribbles`() async throws {
        let loops = try EventLoops()
        let responder = TestResponder()
        let server = HTTPServer(loops: loops, configuration: ServerConfiguration(), responder: responder)
        let address = try await server.start()
        let running = RunningServer(address: address, loops: loops, server: server, responder: responder)
        async let slow = offPool {
            let client = try running.client()
            try client.request("GET", "/fault/slow/10")
            return try client.answer().text
        }
        async let stalled = offPool {
            let client = try running.client()
            try client.request("GET", "/fault/stall")
            return try client.isClosed()
        }
        _ = try await offPool {
            #expect(responder.sees("respond /fault/stall"))
            #expect(responder.sees("respond /fault/slow/10"))
            #expect(running.reaches { $0.requestsInFlight == 0 })
        }.get()
        await server.stop(graceSeconds: 5)
        #expect(try await stalled.get())
        #expect(try await slow.get() == "abcdefghij")
        loops.stop()
    }

    @Test func `two hundred stalls slow nobody`() async throws {
        try await withServer { server in
            let stalled = try (0..<200).map { _ in
                let client = try server.client()
                try client.request("POST", "/fault/stall", body: "abc")
                return client
            }
            #expect(server.reaches { $0.accepted == 200 && $0.requestsInFlight == 0 })
            let client = try RawClient(server.address, seconds: 5)
            for _ in 0..<100 {
                try client.request("GET", "/health")
                #expect(try client.answer().status == 200)
            }
            #expect(server.server.counters.connections == 201)
            withExtendedLifetime(stalled) {}
        }
    }
}

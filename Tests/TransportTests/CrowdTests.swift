import Glibc
import Testing
import Transport

/// Many clients at once, most of them slow: who is quick must not notice.
struct CrowdTests {
    /// What a slow client does and does not do.
    enum Sloth: String, CaseIterable, CustomTestStringConvertible {
        case silent, head, body, chunk, reader, handshake
        var testDescription: String { rawValue }

        /// Large answers take memory and time of this process, too.
        var count: Int { self == .reader ? 40 : 200 }

        var bytes: String {
            switch self {
            case .silent, .handshake: ""
            case .head: "GET /slow HTTP/1.1\r\nHost: a\r\nX-A: "
            case .body: "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nabc"
            case .chunk: "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3e8\r\nabc"
            case .reader: "GET /size/4000000 HTTP/1.1\r\nHost: a\r\n\r\n"
            }
        }
    }

    private static let keys = #filePath.replacing("Tests/TransportTests/CrowdTests.swift", with: "keys")

    @Test(arguments: Sloth.allCases)
    func `a crowd of slow clients slows nobody, and is ended`(_ sloth: Sloth) async throws {
        let tls = TLSConfiguration(
            certificateFile: Self.keys + "/tls/server.cert.pem",
            privateKeyFile: Self.keys + "/tls/server.key.pem"
        )
        let isTLS = sloth == .handshake
        try await withServer(
            tls: isTLS ? tls : nil,
            limits: {
                $0.progressSeconds = 2
                $0.idleSeconds = 2
                $0.answerSeconds = 3
                $0.drainSeconds = 0.2
            }
        ) { server in
            let slow = try (0..<sloth.count).map { _ in
                let client = try server.client()
                if !sloth.bytes.isEmpty { try client.send(sloth.bytes) }
                return client
            }
            #expect(server.reaches { $0.accepted == sloth.count })
            for _ in 0..<100 {
                // A new connection each time: accepting is not slow either.
                let client = try RawClient(server.address, tls: isTLS ? TLSClient.Options() : nil, seconds: 20)
                try client.request("GET", "/quick", headers: "Connection: close\r\n")
                #expect(try client.answer().text == "text /quick")
            }
            #expect(server.reaches { $0.connections == 0 && $0.requestsInFlight == 0 })
            withExtendedLifetime(slow) {}
        }
    }

    @Test func `three thousand clients beyond the limit are served one after the other`() async throws {
        // Served clients stay open here, so the server must not wait long for them to leave.
        try await withServer(limits: { ($0.connections, $0.drainSeconds) = (64, 0.04) }) { server in
            for _ in 0..<3 {
                let clients = try (0..<1_000).map { _ in
                    let client = try server.client()
                    try client.request("GET", "/one", headers: "Connection: close\r\n")
                    return client
                }
                for client in clients { #expect(try client.answer().text == "text /one") }
            }
            #expect(server.server.counters.accepted == 3_000)
            #expect(server.reaches { $0.connections == 0 && $0.requestsInFlight == 0 })
        }
    }

    @Test func `while all places are taken by idle clients accepting pauses, and goes on when they leave`() async throws
    {
        try await withServer(limits: { $0.connections = 200 }) { server in
            var idle = try (0..<200).map { _ in try server.client() }
            #expect(server.reaches { $0.connections == 200 })
            let late = try (0..<100).map { number in
                let client = try server.client()
                try client.request("GET", "/late/\(number)")
                return client
            }
            // Those that have a place are served meanwhile.
            try idle[0].request("GET", "/served")
            #expect(try idle[0].answer().text == "text /served")
            #expect(server.server.counters.accepted == 200)
            idle.removeFirst(100)
            for (number, client) in late.enumerated() { #expect(try client.answer().text == "text /late/\(number)") }
            #expect(server.server.counters.pauses >= 1)
        }
    }

    @Test func `the documented patience is long enough for clients that keep connections`() {
        let limits = Limits()
        #expect(limits.idleSeconds >= 60)
        #expect(limits.connections >= 1_000)
    }
}

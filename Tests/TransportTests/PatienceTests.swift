import Glibc
import Testing
import Transport

/// Clients that leave, dawdle or do not read.
struct PatienceTests {
    private static func short(_ limits: inout Limits) {
        limits.progressSeconds = 0.2
        limits.idleSeconds = 0.3
        limits.drainSeconds = 0.2
    }

    @Test func `a client that leaves cancels its request`() async throws {
        try await withServer { server in
            do {
                let client = try server.client()
                try client.request("GET", "/leave")
                #expect(server.responder.sees("respond /leave"))
            }
            #expect(server.responder.sees("cancelled /leave"))
            #expect(server.reaches { $0.connections == 0 && $0.requestsInFlight == 0 })
        }
    }

    @Test func `a client that resets cancels its request`() async throws {
        try await withServer { server in
            do {
                let client = try server.client()
                try client.request("GET", "/leave")
                #expect(server.responder.sees("respond /leave"))
                client.reset()
            }
            #expect(server.responder.sees("cancelled /leave"))
            #expect(server.reaches { $0.connections == 0 && $0.requestsInFlight == 0 })
        }
    }

    @Test func `a client that only ends its sending side gets its answer`() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.request("POST", "/echo", body: "hello")
            client.endSending()
            #expect(try client.answer().text == "hello")
            #expect(try client.isClosed())
        }
    }

    @Test func `a client that ends its side while it reads leaves nothing behind`() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.request("GET", "/size/30000000")
            #expect(server.responder.sees("respond /size/30000000"))
            // Far more than the kernel takes: the answer is under way.
            usleep(200_000)
            client.endSending()
            usleep(100_000)
            #expect(try client.answer().body.count == 30_000_000)
            #expect(try client.isClosed())
        }
    }

    @Test(arguments: ["GET /a HT", "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc"])
    func `a request that stands still is answered 408`(part: String) async throws {
        try await withServer(limits: Self.short) { server in
            let client = try server.client()
            try client.send(part)
            #expect(try client.answer().status == 408)
            #expect(try client.isClosed())
        }
    }

    @Test func `a head that trickles in is answered 408`() async throws {
        try await withServer(limits: { $0.headSeconds = 0.3 }) { server in
            for _ in 0..<2 {
                let client = try server.client()
                try client.request("GET", "/a")
                #expect(try client.answer().status == 200)
                // Far more bytes than the time allows, each of them progress.
                try client.send("GET /a HTTP/1.1\r\nx: ")
                var sent = 0
                while sent < 1_000, (try? client.send("y")) != nil {
                    sent += 1
                    usleep(10_000)
                    if server.server.counters.refused > 0, server.responder.log.contains("broken timeout") { break }
                }
                #expect(sent < 1_000)
                #expect(try client.answer().status == 408)
            }
        }
    }

    @Test func `a body may take longer than a head`() async throws {
        try await withServer(limits: { $0.headSeconds = 0.2 }) { server in
            let client = try server.client()
            try client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 40\r\n\r\n")
            for _ in 0..<40 {
                try client.send("y")
                usleep(10_000)
            }
            #expect(try client.answer().body.count == 40)
        }
    }

    @Test func `a body that trickles in is answered 408`() async throws {
        try await withServer(limits: { $0.bodySeconds = 0.3 }) { server in
            let client = try server.client()
            try client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n")
            var sent = 0
            while sent < 300, !server.responder.log.contains("broken timeout"), (try? client.send("y")) != nil {
                sent += 1
                usleep(10_000)
            }
            #expect(sent < 300)
            #expect(try client.answer().status == 408)
        }
    }

    @Test func `an answer that is taken too slowly is given up`() async throws {
        try await withServer(limits: { $0.answerSeconds = 0.5 }) { server in
            let client = try server.client()
            try client.request("GET", "/size/60000000")
            var pieces = 0
            // Each piece is progress.
            while pieces < 300, pieces == 0 || server.server.counters.connections > 0, (try? client.take()) != nil {
                pieces += 1
                usleep(10_000)
            }
            #expect(pieces < 300)
            #expect(server.server.counters.connections == 0)
        }
    }

    @Test func `an idle connection is closed without a word`() async throws {
        try await withServer(limits: Self.short) { server in
            let fresh = try server.client()
            #expect(try fresh.isClosed())
            let used = try server.client()
            try used.request("GET", "/a")
            #expect(try used.answer().status == 200)
            #expect(try used.isClosed())
        }
    }

    @Test func `an empty line after a request begins no other one`() async throws {
        try await withServer(limits: {
            $0.headSeconds = 0.2; $0.progressSeconds = 0.2; $0.idleSeconds = 1
        }) { server in
            let client = try server.client()
            try client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx\r\n")
            #expect(try client.answer().text == "x")
            usleep(500_000)
            try client.request("GET", "/a")
            #expect(try client.answer().status == 200)
            try client.send("\r\n")
            #expect(try client.isClosed())
        }
    }

    @Test func `a responder may take its time`() async throws {
        try await withServer(limits: Self.short) { server in
            let client = try server.client()
            try client.request("GET", "/wait")
            let other = try server.client()
            // Returns when the other connection has been idle for longer than any patience.
            #expect(try other.isClosed())
            server.responder.open()
            #expect(try client.answer().status == 200)
        }
    }

    @Test func `a client that does not read its answer is closed`() async throws {
        try await withServer(limits: Self.short) { server in
            let client = try server.client()
            try client.request("GET", "/size/60000000")
            #expect(server.responder.sees("respond /size/60000000"))
            #expect(server.reaches { $0.connections == 0 })
            withExtendedLifetime(client) {}
        }
    }

    @Test func `a client that sends without reading is not read without limit`() async throws {
        try await withServer { server in
            let client = try RawClient(server.address, seconds: 1)
            try client.request("GET", "/wait")
            #expect(throws: RawClient.Failure.timeout) {
                for _ in 0..<1_000 { try client.send([UInt8](repeating: 0x61, count: 1 << 16)) }
            }
        }
    }

    @Test func `row 96: a client that keeps sending after a refusal is closed`() async throws {
        try await withServer(limits: Self.short) { server in
            let client = try server.client()
            try client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n")
            #expect(try client.answer().status == 413)
            #expect(throws: RawClient.Failure.reset) {
                for _ in 0..<1_000 { try client.send([UInt8](repeating: 0x61, count: 1 << 16)) }
            }
        }
    }
}

import Testing
import Transport

struct LimitTests {
    private static let head = "GET /text HTTP/1.1\r\nHost: a\r\n"

    @Test(arguments: [16_384, 60_000]) func `a large header field passes`(size: Int) async throws {
        try await withServer { server in
            let client = try server.client()
            let value = String(repeating: "a", count: size)
            try client.send(Self.head + "Authorization: Bearer \(value)\r\n\r\n")
            #expect(try client.answer().status == 200)
        }
    }

    @Test func `row 69: three hundred header fields pass`() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send(Self.head + (0..<300).map { "X-\($0): value\r\n" }.joined() + "\r\n")
            #expect(try client.answer().status == 200)
        }
    }

    @Test func `row 69: header fields of more than 64 KiB are answered 431`() async throws {
        try await withServer { server in
            for size in [66_000, 79_000, 81_000, 400_000] {
                let client = try server.client()
                let value = String(repeating: "a", count: size)
                try client.send(Self.head + "X-A: \(value)\r\n\r\n")
                #expect(try client.answer().status == 431)
                #expect(try client.isClosed())
            }
        }
    }

    @Test func `a header line that never ends is answered 431`() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send(Self.head + "X-A: " + String(repeating: "a", count: 70_000))
            #expect(try client.answer().status == 431)
        }
    }

    @Test func `the target may have 8 KiB`() async throws {
        try await withServer { server in
            let good = try server.client()
            try good.request("GET", "/" + String(repeating: "a", count: 8_191))
            #expect(try good.answer().status == 200)
            for size in [8_192, 9_000, 100_000] {
                let client = try server.client()
                try client.request("GET", "/" + String(repeating: "a", count: size))
                #expect(try client.answer().status == 414)
                #expect(try client.isClosed())
            }
            // What is kept of it says whose operation was meant.
            #expect(server.responder.brokenTargets.last == "/" + String(repeating: "a", count: 511))
            let query = try server.client()
            try query.send("GET /face/path?" + String(repeating: "a", count: 9_000))
            #expect(try query.answer().status == 414)
            #expect(server.responder.brokenTargets.last == "/face/path")
            let endless = try server.client()
            try endless.send("GET /" + String(repeating: "a", count: 9_000))
            #expect(try endless.answer().status == 414)
            let noise = try server.client()
            try noise.send(String(repeating: "a", count: 9_000))
            #expect(try noise.answer().status == 400)
        }
    }

    @Test func `a body of exactly the limit passes`() async throws {
        try await withServer { server in
            let body = String(repeating: "a", count: 1 << 20)
            let client = try server.client()
            try client.request("POST", "/echo", body: body)
            #expect(try client.answer().body.count == 1 << 20)
            try client.send("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
            try client.send("100000\r\n\(body)\r\n0\r\n\r\n")
            #expect(try client.answer().body.count == 1 << 20)
        }
    }

    @Test func `a chunked body is refused when it passes the limit`() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n100000\r\n")
            try client.send(String(repeating: "a", count: 1 << 20) + "\r\n1\r\n")
            #expect(try client.answer().status == 413)
            #expect(try client.isClosed())
        }
    }

    @Test func `a declared body is refused before it is sent`() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send("POST /echo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 9999999\r\n\r\n")
            #expect(try client.answer().status == 413)
            #expect(server.responder.log == ["broken bodyTooLarge"])
        }
    }

    @Test func `endless chunk extensions and trailers are refused`() async throws {
        try await withServer { server in
            for start in ["5;", "0\r\nX: "] {
                let client = try server.client()
                try client.send("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(start)")
                try client.send(String(repeating: "a", count: 70_000))
                #expect(try client.answer().status == 431)
            }
        }
    }

    @Test func `chunk extensions are bounded over the whole body`() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
            let chunk = "1;" + String(repeating: "a", count: 9_000) + "\r\nb\r\n"
            try client.send(String(repeating: chunk, count: 8) + "0\r\n\r\n")
            #expect(try client.answer().status == 431)
        }
    }

    @Test func `accepting pauses at the connection limit`() async throws {
        try await withServer(limits: { $0.connections = 2 }) { server in
            var clients = [try server.client(), try server.client()]
            for client in clients {
                try client.request("GET", "/a")
                #expect(try client.answer().status == 200)
            }
            let third = try server.client()
            try third.request("GET", "/third")
            try clients[0].request("GET", "/b")
            #expect(try clients[0].answer().status == 200)
            #expect(server.server.counters.connections == 2)
            #expect(!server.responder.log.contains("respond /third"))
            clients.removeFirst()
            #expect(try third.answer().text == "text /third")
            #expect(server.server.counters.pauses >= 1)
        }
    }

    @Test func `too many requests in flight are answered 503`() async throws {
        try await withServer(limits: { $0.requestsInFlight = 1 }) { server in
            let first = try server.client()
            try first.request("GET", "/wait")
            #expect(server.responder.sees("respond /wait"))
            let second = try server.client()
            try second.request("GET", "/a")
            let refused = try second.answer()
            #expect(refused.status == 503)
            #expect(refused["connection"] == "close")
            server.responder.open()
            #expect(try first.answer().status == 200)
            let third = try server.client()
            try third.request("GET", "/a")
            #expect(try third.answer().status == 200)
        }
    }
}

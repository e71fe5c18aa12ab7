import Testing
import Transport

/// Requests that are sent ahead of their answers, and clients that end their side after the last one.
struct PipeliningTests {
    private static func get(_ target: String, _ fields: String = "") -> String {
        "GET \(target) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"
    }

    private static func post(_ body: String, _ fields: String = "") -> String {
        "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n\(fields)\r\n\(body)"
    }

    @Test func `requests before a half-close are answered in order, then the connection ends`() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send(Self.get("/wait") + Self.post("one") + Self.get("/two") + Self.post("three"))
            client.endSending()
            #expect(server.responder.sees("respond /wait"))
            #expect(server.responder.log == ["respond /wait"])
            server.responder.open()
            for text in ["text /wait", "one", "text /two", "three"] {
                let answer = try client.answer()
                #expect(answer.text == text)
                #expect((answer["connection"] == "close") == (text == "three"))
            }
            #expect(try client.isClosed())
            #expect(server.responder.log == ["respond /wait", "respond /echo", "respond /two", "respond /echo"])
        }
    }

    @Test func `two thousand requests before a half-close are all answered`() async throws {
        try await withServer { server in
            let client = try server.client()
            // Several times what is read ahead.
            let fields = "X-Pad: \(String(repeating: "p", count: 100))\r\n"
            try client.send((0..<2_000).map { Self.get("/\($0)", fields) }.joined())
            client.endSending()
            for number in 0..<2_000 { #expect(try client.answer().text == "text /\(number)") }
            #expect(try client.isClosed())
        }
    }

    @Test(arguments: ["GET /cut HTTP/1.1\r\nHo", "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc"])
    func `a request that is cut by the half-close is not answered, those before it are`(rest: String) async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send(Self.get("/wait") + Self.get("/two") + rest)
            client.endSending()
            #expect(server.responder.sees("respond /wait"))
            server.responder.open()
            #expect(try client.answer().text == "text /wait")
            #expect(try client.answer().text == "text /two")
            #expect(try client.isClosed())
            #expect(!server.responder.log.contains { $0.hasPrefix("broken") })
            #expect(server.reaches { $0.connections == 0 && $0.requestsInFlight == 0 })
        }
    }

    @Test func `a request whose head is looked at when its client half-closes is answered`() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nX-Gate: 1\r\n\r\n")
            #expect(server.responder.sees("refusal /echo"))
            try client.send("hello" + Self.get("/next"))
            client.endSending()
            server.responder.open()
            #expect(try client.answer().text == "hello")
            #expect(try client.answer().text == "text /next")
            #expect(try client.isClosed())
        }
    }

    @Test func `nothing behind Connection, close is answered`() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send(Self.get("/one") + Self.get("/two", "Connection: close\r\n") + Self.get("/three"))
            client.endSending()
            #expect(try client.answer().text == "text /one")
            #expect(try client.answer().text == "text /two")
            #expect(try client.isClosed())
            #expect(server.responder.log == ["respond /one", "respond /two"])
        }
    }

    @Test func `a client that leaves with requests sent ahead leaves nothing behind`() async throws {
        try await withServer { server in
            do {
                let client = try server.client()
                try client.send(Self.get("/leave") + Self.get("/leave") + Self.get("/a"))
                #expect(server.responder.sees("respond /leave"))
            }
            #expect(server.responder.sees("cancelled /leave"))
            #expect(server.reaches { $0.connections == 0 && $0.requestsInFlight == 0 })
        }
    }
}

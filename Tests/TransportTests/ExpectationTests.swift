import Testing
import Transport

struct ExpectationTests {
    private static let head = "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n"

    @Test func `row 56: a waiting client is told to go on`() async throws {
        try await withServer { server in
            let client = try server.client()
            for _ in 0..<2 {
                try client.send(Self.head + "Expect: 100-continue\r\n\r\n")
                #expect(try client.answer().status == 100)
                try client.send("hello")
                #expect(try client.answer().text == "hello")
            }
            #expect(server.responder.log == ["refusal /echo", "respond /echo", "refusal /echo", "respond /echo"])
        }
    }

    @Test func `row 56: a refusal comes instead of 100`() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send(Self.head + "Expect: 100-continue\r\nX-Refuse: 401\r\n\r\n")
            let answer = try client.answer()
            #expect(answer.status == 401)
            #expect(answer["connection"] == "close")
            #expect(try client.isClosed())
            #expect(server.responder.log == ["refusal /echo"])
        }
    }

    @Test func `a head without its body is looked at`() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send(Self.head + "X-Refuse: 403\r\n\r\n")
            #expect(try client.answer().status == 403)
            #expect(try client.isClosed())
        }
    }

    @Test func `a request that arrives whole is only answered`() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send(Self.head + "Expect: 100-continue\r\nX-Refuse: 403\r\n\r\nhello")
            #expect(try client.answer().text == "hello")
            #expect(server.responder.log == ["respond /echo"])
        }
    }

    @Test func `a body that comes while the head is looked at is not lost`() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send(Self.head + "Expect: 100-continue\r\nX-Gate: 1\r\n\r\n")
            #expect(server.responder.sees("refusal /echo"))
            try client.send("helloGET /next HTTP/1.1\r\nHost: a\r\n\r\n")
            server.responder.open()
            // 100 or not: both are right, depending on what the loop sees first.
            var answer = try client.answer()
            if answer.status == 100 { answer = try client.answer() }
            #expect(answer.text == "hello")
            #expect(try client.answer().text == "text /next")
        }
    }

    @Test func `HTTP 1,0 has no expectations`() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send("POST /echo HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n")
            #expect(server.responder.sees("refusal /echo"))
            try client.send("hello")
            #expect(try client.answer().text == "hello")
        }
    }

    @Test func `row 96: a client that is refused while it sends reads the answer`() async throws {
        try await withServer { server in
            for _ in 0..<20 {
                let client = try server.client()
                try client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1048576\r\nX-Refuse: 401\r\n\r\n")
                try client.send([UInt8](repeating: 0x61, count: 1 << 20))
                #expect(try client.answer().status == 401)
                #expect(try client.isClosed())
            }
        }
    }
}

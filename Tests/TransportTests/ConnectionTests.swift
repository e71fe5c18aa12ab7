import Testing
import Transport

struct ConnectionTests {
    @Test func `a connection is kept for the next request`() async throws {
        try await withServer { server in
            let client = try server.client()
            for target in ["/a", "/b", "/c"] {
                try client.request("GET", target)
                let answer = try client.answer()
                #expect(answer.status == 200)
                #expect(answer.text == "text \(target)")
                #expect(answer["connection"] == nil)
                #expect(answer["date"]?.hasSuffix(" GMT") == true)
                #expect(answer["content-type"] == "text/plain")
            }
            #expect(server.server.counters.accepted == 1)
        }
    }

    @Test func `row 70: pipelined requests are answered in order and once each`() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send(
                "GET /wait HTTP/1.1\r\nHost: a\r\n\r\nPOST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"
                    + "GET /three HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            )
            #expect(server.responder.sees("respond /wait"))
            #expect(server.responder.log == ["respond /wait"])
            server.responder.open()
            #expect(try client.answer().text == "text /wait")
            #expect(try client.answer().text == "abc")
            let last = try client.answer()
            #expect(last.text == "text /three")
            #expect(last["connection"] == "close")
            #expect(try client.isClosed())
        }
    }

    @Test func `HTTP 1,0 closes unless it asks to stay`() async throws {
        try await withServer { server in
            let first = try server.client()
            try first.send("GET /a HTTP/1.0\r\n\r\n")
            #expect(try first.answer()["connection"] == "close")
            #expect(try first.isClosed())
            let second = try server.client()
            for _ in 0..<2 {
                try second.send("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
                #expect(try second.answer()["connection"] == "keep-alive")
            }
        }
    }

    @Test func `a Host that is not a host is answered 400`() async throws {
        try await withServer { server in
            for host in ["a b", "a b/@", "a/", "u@a", "a:b", "[::1", "[::1]x"] {
                let client = try server.client()
                try client.send("GET /a HTTP/1.1\r\nHost: \(host)\r\n\r\n")
                #expect(try client.answer().status == 400, "\(host)")
            }
            let client = try server.client()
            for host in ["a", "a:8080", "a.b-c_d:", "127.0.0.1:1", "[::1]", "[::1]:80", ""] {
                try client.send("GET /a HTTP/1.1\r\nHost: \(host)\r\n\r\n")
                #expect(try client.answer().status == 200, "\(host)")
            }
        }
    }

    @Test func `an answer of 205 has no body`() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.request("GET", "/status/205")
            let answer = try client.answer()
            #expect(answer.status == 205)
            #expect(answer["content-length"] == "0")
            try client.request("GET", "/a")
            #expect(try client.answer().status == 200)
        }
    }

    @Test func `HEAD has the same header fields and no body`() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.request("GET", "/size/5")
            let get = try client.answer()
            try client.request("HEAD", "/size/5")
            let head = try client.answer(headOnly: true)
            #expect(get.headers.map(\.name) == head.headers.map(\.name))
            #expect(head["content-length"] == "5")
            try client.request("GET", "/after")
            #expect(try client.answer().text == "text /after")
        }
    }

    @Test(arguments: [204, 304]) func `an answer without content has no length`(status: Int) async throws {
        try await withServer { server in
            let client = try server.client()
            try client.request("GET", "/status/\(status)")
            let answer = try client.answer()
            #expect(answer.status == status)
            #expect(answer["content-length"] == nil)
            try client.request("GET", "/after")
            #expect(try client.answer().text == "text /after")
        }
    }

    @Test(arguments: [0, 99, 100, 101, 199, 600, 1_000])
    func `a status that ends no exchange is answered 500`(status: Int) async throws {
        try await withServer { server in
            let client = try server.client()
            try client.request("GET", "/status/\(status)")
            let answer = try client.answer()
            #expect([answer.status, answer.body.count] == [500, 4])
            try client.request("GET", "/after")
            #expect(try client.answer().text == "text /after")
        }
    }

    @Test func `a responder cannot break the framing of its answer`() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.request("GET", "/bad")
            let answer = try client.answer()
            #expect(answer.headers.filter { $0.name == "Content-Length" }.map(\.value) == ["0"])
            #expect(answer["allow"] == "a  b: c")
            #expect(answer["b"] == nil)
        }
    }

    @Test func `a head and a body in single bytes are read`() async throws {
        try await withServer { server in
            let client = try server.client()
            let request = "\r\nPOST /echo HTTP/1.1\r\nHost: a\r\nX-A:  b \r\nContent-Length: 5\r\n\r\nhello"
            for byte in request.utf8 { try client.send([byte]) }
            #expect(try client.answer().text == "hello")
        }
    }

    @Test func `chunks with extensions and trailers make one body`() async throws {
        try await withServer { server in
            let client = try server.client()
            let head = "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
            for _ in 0..<2 {
                try client.send(head + "5;name=\"v\"\r\nhello\r\n00006\r\n world\r\n0\r\nX-Trailer: 1\r\n\r\n")
                #expect(try client.answer().text == "hello world")
            }
        }
    }

    @Test(arguments: [
        ("http://other.example/a?b=1", "/target"), ("/target/x?y", "/target/x?y"),
        ("http://h/target/p?q", "/target/p?q"), ("HTTP://h?q", "/?q"), ("https://h", "/"),
    ])
    func `row 106: an absolute target is reduced to its path`(sent: String, expected: String) async throws {
        try await withServer { server in
            let client = try server.client()
            try client.request("GET", sent)
            let text = try client.answer().text
            #expect(expected == "/target" ? text == "text /a?b=1" : text.hasSuffix(expected))
        }
    }

    @Test func `row 106: an offered upgrade is ignored`() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.request("GET", "/a", headers: "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n")
            #expect(try client.answer().text == "text /a")
            try client.request("GET", "/b")
            #expect(try client.answer().text == "text /b")
        }
    }

    @Test func `thenClose ends the connection after the answer`() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.request("GET", "/close")
            let answer = try client.answer()
            #expect(answer.text == "bye")
            #expect(answer["connection"] == "close")
            #expect(try client.isClosed())
        }
    }

    @Test func `a large answer goes at the client's pace`() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.request("GET", "/size/9000000")
            try client.request("GET", "/after")
            #expect(try client.answer().body.count == 9_000_000)
            #expect(try client.answer().text == "text /after")
        }
    }
}

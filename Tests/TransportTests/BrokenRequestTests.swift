import Testing
import Transport
import Web

struct BrokenRequestTests {
    @Test(arguments: ["GET http://a<b/ HTTP/1.1", "GET http://a@@b/c HTTP/1.1", "GET http://a\"?c HTTP/1.1"])
    func `an address whose host is not one is refused`(line: String) async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send(line + "\r\nHost: a\r\n\r\n")
            #expect(try client.answer().status == 400)
        }
    }

    struct Case: CustomTestStringConvertible {
        let name: String
        let bytes: String
        let status: Int
        let reason: BrokenRequest.Reason
        var testDescription: String { name }

        init(_ name: String, _ status: Int, _ reason: BrokenRequest.Reason, _ bytes: String) {
            self.name = name
            self.bytes = bytes
            self.status = status
            self.reason = reason
        }

        /// With a good request line and Host before `fields`.
        static func fields(_ name: String, _ status: Int, _ reason: BrokenRequest.Reason, _ fields: String) -> Case {
            Case(name, status, reason, "POST /echo HTTP/1.1\r\nHost: a\r\n\(fields)")
        }
    }

    static let cases: [Case] = [
        Case("bytes of a TLS client", 400, .framing, "\u{16}\u{03}\u{01}\u{02}\0\u{01}\r\n\r\n"),
        Case("no version", 400, .framing, "GET /\r\n\r\n"),
        Case("two spaces", 400, .framing, "GET  / HTTP/1.1\r\nHost: a\r\n\r\n"),
        Case("tab in the target", 400, .framing, "GET /a\tb HTTP/1.1\r\nHost: a\r\n\r\n"),
        Case("NUL in the target", 400, .framing, "GET /a\0b HTTP/1.1\r\nHost: a\r\n\r\n"),
        Case("a relative target", 400, .framing, "GET a HTTP/1.1\r\nHost: a\r\n\r\n"),
        Case("bare LF after the request line", 400, .framing, "GET / HTTP/1.1\nHost: a\r\n\r\n"),
        Case("bare LF everywhere", 400, .framing, "GET / HTTP/1.1\nHost: a\n\n"),
        Case("word for a version", 400, .framing, "GET / JTTP/1.1\r\nHost: a\r\n\r\n"),
        Case("HTTP/2 preface", 505, .version, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        Case("HTTP/2.0", 505, .version, "GET / HTTP/2.0\r\nHost: a\r\n\r\n"),
        Case("HTTP/1.2", 505, .version, "GET / HTTP/1.2\r\nHost: a\r\n\r\n"),
        Case("HTTP/0.9", 505, .version, "GET / HTTP/0.9\r\nHost: a\r\n\r\n"),
        Case("unknown method", 501, .method, "BREW / HTTP/1.1\r\nHost: a\r\n\r\n"),
        Case("CONNECT", 501, .method, "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n"),
        Case("lower-case method", 501, .method, "get / HTTP/1.1\r\nHost: a\r\n\r\n"),
        Case("no Host", 400, .host, "GET / HTTP/1.1\r\n\r\n"),
        Case("two Hosts", 400, .host, "GET / HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n"),
        .fields("space before the colon", 400, .framing, "X-A : b\r\n\r\n"),
        .fields("space in a name", 400, .framing, "X A: b\r\n\r\n"),
        .fields("no colon", 400, .framing, "X-A\r\n\r\n"),
        .fields("no name", 400, .framing, ": b\r\n\r\n"),
        .fields("a folded line", 400, .framing, "X-A: b\r\n c\r\n\r\n"),
        .fields("bare CR in a value", 400, .framing, "X-A: b\rc\r\n\r\n"),
        .fields("bare LF in the head", 400, .framing, "X-A: b\nX-C: d\r\n\r\n"),
        .fields("NUL in a value", 400, .framing, "X-A: b\0c\r\n\r\n"),
        .fields("a name that is not ASCII", 400, .framing, "X-\u{E9}: b\r\n\r\n"),
        .fields("two lengths", 400, .framing, "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab"),
        .fields("the same length twice", 400, .framing, "Content-Length: 1\r\nContent-Length: 1\r\n\r\na"),
        .fields("a list of lengths", 400, .framing, "Content-Length: 1, 1\r\n\r\na"),
        .fields("a signed length", 400, .framing, "Content-Length: +1\r\n\r\na"),
        .fields("a negative length", 400, .framing, "Content-Length: -1\r\n\r\na"),
        .fields("an endless length", 400, .framing, "Content-Length: 99999999999999999999999\r\n\r\na"),
        .fields("length and coding", 400, .framing, "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        .fields("coding and length", 400, .framing, "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n0\r\n\r\n"),
        .fields("another coding", 501, .transferCoding, "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"),
        .fields("chunked twice", 501, .transferCoding, "Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n"),
        .fields("identity", 501, .transferCoding, "Transfer-Encoding: identity\r\n\r\n"),
        .fields("a hidden coding", 501, .transferCoding, "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"),
        .fields("another expectation", 417, .expectation, "Expect: 200-ok\r\n\r\n"),
        .fields("a declared length", 413, .bodyTooLarge, "Content-Length: 1048577\r\n\r\n"),
        Case("coding in HTTP/1.0", 400, .framing, "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    ]

    @Test(arguments: cases) func `a broken request is answered by the responder`(_ example: Case) async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send(example.bytes)
            let answer = try client.answer()
            #expect(answer.status == example.status)
            #expect(answer.text.hasPrefix(example.reason.rawValue + ": "))
            #expect(answer["connection"] == "close")
            #expect(try client.isClosed())
            #expect(server.responder.log == ["broken \(example.reason.rawValue)"])
            #expect(server.server.counters.refused == 1)
        }
    }

    static let chunks = [
        "5\nhello\r\n0\r\n\r\n", "5\r\nhello0\r\n\r\n", "5\r\nhelloXX0\r\n\r\n", "5\r\nhello\n0\r\n\r\n",
        "\r\nhello\r\n", "0x5\r\nhello\r\n", "-5\r\nhello\r\n", "5;a\nb\r\nhello\r\n0\r\n\r\n", "5\rXhello\r\n",
        "10000000000000000\r\n", "0\r\nX Y: 1\r\n\r\n", "0\r\nX: 1\n\r\n", "0\r\n\n", ";a\r\nhello\r\n",
    ]

    @Test(arguments: chunks) func `a broken chunk is refused`(_ body: String) async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(body)")
            let answer = try client.answer()
            #expect(answer.status == 400)
            #expect(answer.text.hasPrefix("framing: "))
            #expect(try client.isClosed())
        }
    }

    @Test func `nothing after a broken request is served`() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send("GET / HTTP/1.1\r\nHost : a\r\n\r\nGET /after HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.answer().status == 400)
            #expect(try client.isClosed())
            #expect(server.responder.log == ["broken framing"])
        }
    }

    static let heads: [(bytes: String, status: Int)] = [
        ("HEAD / HTTP/1.1\r\nHost: a\r\nExpect: other\r\n\r\n", 417),
        ("HEAD / HTTP/1.1\r\nHost : a\r\n\r\n", 400),
        // The request line itself is refused, but its method can be read.
        ("HEAD / HTTP/2.0\r\nHost: a\r\n\r\n", 505),
        ("HEAD /a b HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("\r\nHEAD /\(String(repeating: "a", count: 9_000)) HTTP/1.1\r\nHost: a\r\n\r\n", 414),
        ("HEAD /\(String(repeating: "a", count: 9_000))", 414),
    ]

    @Test(arguments: heads) func `a broken HEAD is answered without a body`(_ bytes: String, _ status: Int) async throws
    {
        try await withServer { server in
            let client = try server.client()
            try client.send(bytes)
            #expect(try client.answer(headOnly: true).status == status)
            #expect(try client.isClosed())
        }
    }

    @Test(arguments: ["HEADS / HTTP/2.0\r\n\r\n", "head / HTTP/2.0\r\n\r\n"])
    func `a broken request of another method has a body`(_ bytes: String) async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send(bytes)
            #expect(try client.answer().text.hasPrefix("version: "))
            #expect(try client.isClosed())
        }
    }

    @Test func `bytes above ASCII in a value are kept`() async throws {
        try await withServer { server in
            let client = try server.client()
            var bytes = Array("GET /headers HTTP/1.1\r\nHost: a\r\nX-A: \u{E9}\r\nX-B: ".utf8)
            bytes += [0xE9] + Array("\r\n\r\n".utf8)
            try client.send(bytes)
            #expect(try client.answer().text == "host=a\nx-a=\u{E9}\nx-b=\u{E9}")
        }
    }
}

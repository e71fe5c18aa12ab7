import Testing
import Transport
import Web

/// Each way a server can fail a call, from raw sockets.
struct ClientFaultTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let answer: String
        let end: RawServer.End
        let fault: HTTPCallFault
        var testDescription: String { "\(answer.debugDescription) then \(end)" }
    }

    static let cases: [Case] = [
        Case(answer: "", end: .close, fault: .closedBeforeAnswer),
        Case(answer: "", end: .reset, fault: .reset),
        Case(answer: "", end: .hold, fault: .timeout(during: .answering)),
        Case(answer: "HTTP/1.1 20", end: .close, fault: .closedInsideAnswer(bodyBytes: 0)),
        Case(
            answer: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n",
            end: .close,
            fault: .closedInsideAnswer(bodyBytes: 0)
        ),
        Case(
            answer: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab",
            end: .close,
            fault: .closedInsideAnswer(bodyBytes: 2)
        ),
        Case(
            answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
            end: .close,
            fault: .closedInsideAnswer(bodyBytes: 3)
        ),
        Case(answer: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab", end: .hold, fault: .timeout(during: .answering)),
        Case(answer: "HTTP/1.1 100 Continue\r\n\r\n", end: .close, fault: .closedBeforeAnswer),
    ]

    @Test(arguments: cases)
    func `the real cause is told`(_ item: Case) async throws {
        let (outcome, seen) = try await callRaw(item.answer, item.end, seconds: item.end == .hold ? 0.2 : 10)
        #expect(throws: item.fault) { try outcome.get() }
        #expect(seen.hasPrefix("GET /a HTTP/1.1\r\nHost: 127.0.0.1:"))
    }

    @Test(arguments: [
        "SSH-2.0-OpenSSH\r\n", "HTTP/1.1 abc\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ])
    func `what is not an answer is malformed`(answer: String) async throws {
        let (outcome, _) = try await callRaw(answer, .close)
        let fault = #expect(throws: HTTPCallFault.self) { try outcome.get() }
        guard case .malformedAnswer = fault else {
            Issue.record("unexpected: \(String(describing: fault))")
            return
        }
    }

    @Test func `a head beyond the bound is refused`() async throws {
        let head = "HTTP/1.1 200 OK\r\nx: " + String(repeating: "y", count: 70_000) + "\r\n\r\n"
        let (outcome, _) = try await callRaw(head, .close)
        #expect(throws: HTTPCallFault.malformedAnswer(reason: "its head is larger than 65536 bytes")) {
            try outcome.get()
        }
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nx-a:  b \t\r\n\r\nabc", "abc"),
        ("HTTP/1.0 200 OK\r\nx-a: b\r\n\r\nabc", "abc"),
        ("HTTP/1.1 200 OK\r\nx-a: b\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n", "abcde"),
        ("HTTP/1.1 103 Early\r\ny: z\r\n\r\nHTTP/1.1 200 OK\r\nx-a: b\r\nContent-Length: 2\r\n\r\nok", "ok"),
        ("HTTP/1.1 204 No\r\nx-a: b\r\nConnection: close\r\n\r\n", ""),
    ])
    func `each form of an answer is read`(answer: String, body: String) async throws {
        let response = try await callRaw(answer, .close).0.get()
        #expect(String(decoding: response.body, as: UTF8.self) == body)
        #expect(response.headers[HTTPHeaderName("x-a")] == "b")
        #expect(response.headers[HTTPHeaderName("y")] == nil)
    }

    @Test func `bytes beyond an answer end the connection`() async throws {
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokmore"
        let (outcome, _) = try await callRaw(answer, .hold)
        #expect(try outcome.get().body == Array("ok".utf8))
    }

    @Test func `a connection is used again, and told so`() async throws {
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        let (outcome, seen) = try await callRaw(answer, .again, calls: 3)
        #expect(try outcome.get().status == 200)
        #expect(seen.split(separator: "GET /a").count == 3)
        let (last, once) = try await callRaw(answer, .again, change: { $0.idlePerOrigin = 0 })
        #expect(try last.get().status == 200)
        #expect(once.split(separator: "GET /a").count == 1)
    }

    @Test func `nobody listens`() async throws {
        let loop = try EventLoop()
        let client = try HTTPClient(loop: loop)
        let port: UInt16
        do { port = try RawServer().port }
        let request = HTTPRequest(method: .get, target: "/")
        await #expect(throws: HTTPCallFault.refused) {
            try await client.call(request, at: HTTPOrigin(.http, host: "127.0.0.1", port: port), timeoutSeconds: 10)
        }
        await #expect(throws: HTTPCallFault.refused) {
            try await client.call(request, at: HTTPOrigin(.http, host: "localhost", port: port), timeoutSeconds: 10)
        }
        await client.stop()
        loop.stop()
    }

    @Test func `a host without an address`() async throws {
        let loop = try EventLoop()
        let client = try HTTPClient(loop: loop)
        let request = HTTPRequest(method: .get, target: "/")
        // Which of both depends on the machine: without a name server that answers the time runs out.
        let fault = await #expect(throws: HTTPCallFault.self) {
            try await client.call(request, at: HTTPOrigin(.http, host: "no-such-host.invalid"), timeoutSeconds: 0.3)
        }
        switch fault {
        case .unresolved(host: "no-such-host.invalid", reason: _), .timeout(during: .resolving): break
        default: Issue.record("unexpected: \(String(describing: fault))")
        }
        await client.stop()
        loop.stop()
    }

    @Test(arguments: [
        ("http://a.example", "http://a.example", "a.example"), ("HTTPS://a:8443/x?y", "https://a:8443", "a:8443"),
        ("http://[::1]:8080/", "http://[::1]:8080", "[::1]:8080"), ("https://a:443", "https://a", "a"),
    ])
    func `origins are read from URLs`(url: String, text: String, authority: String) {
        let origin = HTTPOrigin(url: url)
        #expect(origin?.description == text)
        #expect(origin?.authority == authority)
    }

    @Test(arguments: [
        "a.example", "ftp://a", "http://", "http://a:x", "http://a:0", "http://u@a", "http://[::1", "http://a:99999",
    ])
    func `what is not an origin is refused`(url: String) {
        #expect(HTTPOrigin(url: url) == nil)
    }
}

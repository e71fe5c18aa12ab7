import Testing
import Transport
import Web

/// The client against the project's own server.
struct HTTPClientTests {
    private static func get(_ target: String, _ headers: [(HTTPHeaderName, String)] = []) -> HTTPRequest {
        HTTPRequest(method: .get, target: target, headers: HTTPHeaders(headers))
    }

    @Test func `calls are answered on one connection`() async throws {
        try await withClient { running in
            for _ in 0..<3 {
                let request = HTTPRequest(method: .post, target: "/echo", body: Array("hello".utf8))
                let echoed = try await running.call(request)
                #expect(echoed.body == Array("hello".utf8))
            }
            let missing = try await running.call(Self.get("/status/404"))
            #expect(missing.status == 404)
            let empty = try await running.call(Self.get("/status/204"))
            #expect(empty.body.isEmpty)
            #expect(running.server.server.counters.accepted == 1)
        }
    }

    @Test func `a HEAD answer has no body and keeps the connection`() async throws {
        try await withClient { running in
            let answer = try await running.call(HTTPRequest(method: .head, target: "/size/100"))
            #expect(answer.headers[.contentLength] == "100")
            #expect(answer.body.isEmpty)
            let next = try await running.call(Self.get("/size/9"))
            #expect(next.body.count == 9)
            #expect(running.server.server.counters.accepted == 1)
        }
    }

    @Test func `headers arrive as they were given`() async throws {
        try await withClient { running in
            let odd = HTTPHeaderName("x-odd")
            let answer = try await running.call(Self.get("/headers", [(odd, "a"), (odd, "b"), (.contentLength, "7")]))
            let text = String(decoding: answer.body, as: UTF8.self)
            #expect(text == "host=\(running.origin.authority)\nx-odd=a\nx-odd=b")
            let named = try await running.call(Self.get("/headers", [(.host, "other.example")]))
            #expect(String(decoding: named.body, as: UTF8.self) == "host=other.example")
        }
    }

    @Test func `many calls at once are answered, and few connections are kept`() async throws {
        try await withClient { running in
            try await withThrowingTaskGroup { group in
                for index in 0..<64 {
                    group.addTask {
                        let answer = try await running.call(Self.get("/target?\(index)"))
                        #expect(answer.body == Array("/target?\(index)".utf8))
                    }
                }
                try await group.waitForAll()
            }
            #expect(await running.server.reaches { $0.connections <= 4 })
        }
    }

    @Test func `large bodies pass both ways`() async throws {
        try await withClient { running in
            let body = [UInt8](repeating: 0x61, count: 1 << 20)
            let large = try await running.call(HTTPRequest(method: .put, target: "/echo", body: body))
            #expect(large.body == body)
        }
    }

    @Test func `an early refusal is read although the body was not taken`() async throws {
        try await withClient { running in
            let body = [UInt8](repeating: 0x61, count: 1 << 20)
            let refuse = HTTPHeaders([(HTTPHeaderName("x-refuse"), "401")])
            let request = HTTPRequest(method: .post, target: "/echo", headers: refuse, body: body)
            let refusal = try await running.call(request)
            #expect(refusal.status == 401)
        }
    }

    @Test func `an answer beyond the bound is refused`() async throws {
        var configuration = HTTPClientConfiguration()
        configuration.answerBytes = 1_000
        try await withClient(configuration) { running in
            let whole = try await running.call(Self.get("/size/1000"))
            #expect(whole.body.count == 1_000)
            await #expect(throws: HTTPCallFault.answerTooLarge(limit: 1_000)) {
                try await running.call(Self.get("/size/1001"))
            }
        }
    }

    @Test func `a connection ends when either side says so`() async throws {
        try await withClient { running in
            _ = try await running.call(Self.get("/close"))
            _ = try await running.call(Self.get("/a", [(.connection, "close")]))
            _ = try await running.call(Self.get("/a"))
            #expect(running.server.server.counters.accepted == 3)
            #expect(await running.server.reaches { $0.connections == 1 })
        }
    }

    @Test func `an idle connection that the server closed is not used`() async throws {
        var server = ServerConfiguration()
        server.limits.idleSeconds = 0.05
        try await withClient(server: server) { running in
            for _ in 0..<3 {
                let answer = try await running.call(Self.get("/a"))
                #expect(answer.status == 200)
                #expect(await running.server.reaches { $0.connections == 0 })
            }
        }
    }

    @Test func `idle connections are closed after a while`() async throws {
        var configuration = HTTPClientConfiguration()
        configuration.idleSeconds = 0.05
        try await withClient(configuration) { running in
            _ = try await running.call(Self.get("/a"))
            #expect(await running.server.reaches { $0.connections == 0 })
        }
    }

    @Test func `time over and cancellation close the connection`() async throws {
        try await withClient { running in
            await #expect(throws: HTTPCallFault.timeout(during: .answering)) {
                try await running.call(Self.get("/leave"), seconds: 0.1)
            }
            #expect(await running.server.responder.sees("cancelled /leave"))
            let task = Task { try await running.call(Self.get("/leave?2")) }
            #expect(await running.server.responder.sees("respond /leave?2"))
            task.cancel()
            await #expect(throws: HTTPCallFault.cancelled) { try await task.value }
            #expect(await running.server.responder.sees("cancelled /leave?2"))
            #expect(await running.server.reaches { $0.connections == 0 })
        }
    }

    @Test func `a call of a cancelled task connects nowhere`() async throws {
        try await withClient { running in
            let task = Task {
                while !Task.isCancelled { await Task.yield() }
                return try await running.call(Self.get("/a"))
            }
            task.cancel()
            await #expect(throws: HTTPCallFault.cancelled) { try await task.value }
            #expect(running.server.server.counters.accepted == 0)
        }
    }

    @Test func `stopping fails what is under way and what comes after`() async throws {
        try await withClient { running in
            let task = Task { try await running.call(Self.get("/leave")) }
            #expect(await running.server.responder.sees("respond /leave"))
            await running.client.stop()
            await #expect(throws: HTTPCallFault.stopped) { try await task.value }
            await #expect(throws: HTTPCallFault.stopped) { try await running.call(Self.get("/a")) }
        }
    }

    @Test func `a name is looked up`() async throws {
        try await withClient(host: "localhost") { running in
            let answer = try await running.call(Self.get("/a"))
            #expect(answer.status == 200)
        }
    }

    @Test(arguments: ["/a b", "", "/a\r\nx: y", "/\u{e9}"])
    func `a target that would be read otherwise is not sent`(target: String) async throws {
        try await withClient { running in
            let fault = await #expect(throws: HTTPCallFault.self) { try await running.call(Self.get(target)) }
            guard case .badRequest = fault else {
                Issue.record("unexpected: \(String(describing: fault))")
                return
            }
        }
    }

    @Test func `a header that would be read otherwise is not sent`() async throws {
        try await withClient { running in
            for (name, value) in [("a b", "c"), ("a", "b\r\nc: d"), ("", "a")] {
                let request = Self.get("/a", [(HTTPHeaderName(name), value)])
                await #expect(throws: HTTPCallFault.self) { try await running.call(request) }
            }
            #expect(running.server.server.counters.accepted == 0)
        }
    }
}

import Core
import Sandbox
import SandboxTesting
import Testing
import Traffic
import Web
import Wire

/// `GET /v1/journal/wait` and `/export` as whole requests.
struct JournalWaitTests {
    private static func ask(_ sandbox: TestSandbox, _ id: String) async throws {
        _ = try await sandbox.api("POST", "/mg/tpc/DEMOBANK01/getTokens", body: "{}", headers: [("x-request-id", id)])
    }

    private static func ids(_ reply: TestReply) -> [String] {
        reply["items"].array?.compactMap { $0["requestId"]?.string } ?? []
    }

    /// Until a long poll waits in the tenant.
    private static func untilWaiting(_ sandbox: TestSandbox, _ count: Int = 1) async {
        while sandbox.application.pauses.count(of: .default) < count { await Task.yield() }
    }

    @Test func `what is there already is answered at once`() async throws {
        try await withSandbox { sandbox in
            try await Self.ask(sandbox, "a")
            try await Self.ask(sandbox, "b")
            let all = try await sandbox.control("GET", "/v1/journal/wait?count=2&since=0&face=tpc")
            #expect(all.status == 200 && all["complete"] == true && Self.ids(all) == ["b", "a"])
            #expect(all.json.object?.keys == ["items", "dropped", "complete", "now"])
            let timed = try await sandbox.control("GET", "/v1/journal/wait?count=2&since=2030-01-01T00:00:00Z")
            #expect(timed["complete"] == true && Self.ids(timed) == ["b", "a"])
            let now = try await sandbox.control("GET", "/v1/journal/wait?timeout=0&since=now")
            #expect(now.status == 200 && now["complete"] == false && now["items"] == [])
            let plain = try await sandbox.control("GET", "/v1/journal/wait?timeout=0&count=2&requestId=a")
            #expect(plain["complete"] == false && Self.ids(plain) == ["a"])
            // What an answer calls now is where the next question begins.
            sandbox.clock.advance(seconds: 1)
            let mark = try await sandbox.control("GET", "/v1/journal/wait?timeout=0&count=2")
            #expect(mark["complete"] == true && mark.text("now") == "2030-01-01T00:00:01Z")
            try await Self.ask(sandbox, "c")
            let next = try await sandbox.control("GET", "/v1/journal/wait?since=\(mark.text("now"))")
            #expect(next["complete"] == true && Self.ids(next) == ["c"])
            let short = try await sandbox.control("GET", "/v1/journal/wait?timeout=0.01&since=0&count=4")
            #expect(short["complete"] == false && Self.ids(short) == ["c", "b", "a"])
        }
    }

    @Test func `a poll waits for entries that come later`() async throws {
        try await withSandbox { sandbox in
            try await Self.ask(sandbox, "before")
            async let reply = sandbox.control("GET", "/v1/journal/wait?count=2&status=400&timeout=60&since=now")
            await Self.untilWaiting(sandbox)
            try await Self.ask(sandbox, "a")
            _ = try await sandbox.api("POST", "/wallet/apple/devices", ["kind": "phone"])
            try await Self.ask(sandbox, "b")
            let seen = try await reply
            #expect(seen["complete"] == true && Self.ids(seen) == ["b", "a"])
            #expect(sandbox.application.pauses.count(of: .default) == 0)
        }
    }

    @Test(arguments: [
        ("operation", "tpc.getTokns", "tpc.getTokens"), ("face", "tcp", "tpc"),
        ("diagnosis", "JWT_EXPIERD", "JWT_EXPIRED"),
    ])
    func `row 115: a filter on what there is not is refused, with what is near`(
        _ name: String,
        _ value: String,
        _ near: String
    ) async throws {
        try await withSandbox { sandbox in
            for path in ["/v1/journal", "/v1/journal/wait", "/v1/journal/export"] {
                let reply = try await sandbox.control("GET", "\(path)?\(name)=\(value)")
                #expect(
                    (reply.status, reply["code"], reply["parameter"]) == (400, "JOURNAL_FILTER_VALUE", .string(name))
                )
                #expect(reply.text("detail").contains(near), "\(reply.text)")
            }
            // Every face, operation and code that there is can be asked for.
            let known = try await sandbox.control("GET", "/v1/journal?\(name)=\(near)")
            #expect(known.status == 200)
        }
    }

    enum End: String, CaseIterable, Sendable {
        case reset, cleared, stopped
    }

    @Test(arguments: End.allCases)
    func `a poll ends with its world, with what there is`(_ end: End) async throws {
        try await withSandbox { sandbox in
            async let reply = sandbox.control("GET", "/v1/journal/wait?count=2&timeout=60")
            await Self.untilWaiting(sandbox)
            try await Self.ask(sandbox, "a")
            switch end {
            case .reset: _ = try await sandbox.control("POST", "/v1/tenants/default/reset")
            case .cleared: _ = try await sandbox.control("DELETE", "/v1/journal")
            case .stopped: sandbox.application.pauses.stop()
            }
            let seen = try await reply
            #expect(seen.status == 200 && seen["complete"] == false)
            if end == .stopped { #expect(Self.ids(seen) == ["a"]) }
        }
    }

    @Test func `a client that leaves ends its poll`() async throws {
        try await withSandbox { sandbox in
            let request = HTTPRequest(method: .get, target: "/v1/journal/wait?timeout=60")
            let poll = Task { await sandbox.application.control.respond(to: request) }
            await Self.untilWaiting(sandbox)
            poll.cancel()
            _ = await poll.value
            #expect(sandbox.application.pauses.count(of: .default) == 0)
        }
    }

    @Test func `the 65th poll of a tenant is refused`() async throws {
        try await withSandbox { sandbox in
            let request = HTTPRequest(method: .get, target: "/v1/journal/wait?timeout=60")
            let control = sandbox.application.control
            let polls = (0..<64).map { _ in Task { await control.respond(to: request).status } }
            await Self.untilWaiting(sandbox, 64)
            let refused = try await sandbox.control("GET", "/v1/journal/wait")
            #expect(Problem(refused) == Problem(503, "LONG_POLLS_TOO_MANY"))
            #expect(refused.header("retry-after") == "1")
            let other = [("x-sandbox-tenant", "other")]
            #expect(try await sandbox.control("GET", "/v1/journal/wait?timeout=0", headers: other).status == 200)
            try await Self.ask(sandbox, "a")
            for poll in polls { #expect(await poll.value == 200) }
            #expect(try await sandbox.control("GET", "/v1/journal/wait?timeout=0").status == 200)
        }
    }

    @Test func `the export is one entry on each line, oldest first, masked and filtered`() async throws {
        try await withSandbox { sandbox in
            for index in 0..<120 { try await Self.ask(sandbox, "r\(index)") }
            _ = try await sandbox.api("POST", "/mg/tpc/DEMOBANK01/getTokens?pan=4111111111111111", body: "{}")
            let all = try await sandbox.control("GET", "/v1/journal/export")
            #expect(all.status == 200 && all.header("content-type") == "application/x-ndjson")
            let lines = all.text.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.count == 122 && lines.last == "")
            let ids = try lines.dropLast().map { try JSON.parse(Array($0.utf8))["requestId"]?.string }
            #expect(ids.prefix(120) == (0..<120).map { "r\($0)" }[...])
            #expect(!all.text.contains("4111111111111111") && all.text.contains("************1111"))
            let some = try await sandbox.control("GET", "/v1/journal/export?limit=2&face=tpc&status=400")
            #expect(some.text.split(separator: "\n").count == 2)
            let none = try await sandbox.control("GET", "/v1/journal/export?face=d1")
            #expect(none.status == 200 && none.text.isEmpty)
        }
    }

    @Test(arguments: [
        ("export?count=1", "JOURNAL_FILTER_UNKNOWN"), ("wait?cuont=1", "JOURNAL_FILTER_UNKNOWN"),
        ("wait?timeout=61", "JOURNAL_WAIT_TIMEOUT"), ("wait?count=0", "JOURNAL_FILTER_NUMBER"),
    ])
    func `wrong parameters are refused by name`(_ query: String, _ code: String) async throws {
        try await withSandbox { sandbox in
            let reply = try await sandbox.control("GET", "/v1/journal/" + query)
            #expect(Problem(reply) == Problem(400, code))
            let name = query.split { "?=".contains($0) }[1]
            #expect(reply["parameter"].string == String(name))
        }
    }
}

import Sandbox
import SandboxTesting
import Synchronization
import Testing
import Wire

/// The line that a control call leaves in the log.
struct AuditTests {
    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])

        func append(_ line: [UInt8]) { lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) } }

        var all: [String] { lines.withLock { $0 } }
    }

    private static func audited(
        token: String? = nil,
        level: Log.Level = .info,
        _ body: (TestSandbox) async throws -> Void
    ) async throws -> [String] {
        let lines = Lines()
        let log = Log(level: level, now: { Instant(seconds: 0) }, write: { lines.append($0) })
        try await withSandbox(configure: { $0.controlToken = token }, log: log) { try await body($0) }
        return lines.all
    }

    @Test func `a change is one line with who, what and what came of it`() async throws {
        let lines = try await Self.audited { sandbox in
            let headers = [("x-request-id", "mine"), ("x-sandbox-tenant", "suite-1")]
            _ = try await sandbox.control("DELETE", "/v1/journal", headers: headers)
            _ = try await sandbox.control("DELETE", "/v1/journal?secret=s3cret", headers: headers)
        }
        #expect(lines.count == 2)
        #expect(lines.last?.contains("QUERY_PARAMETER_UNKNOWN") == true)
        let line = try JSON.parse(Array((lines.first ?? "").utf8))
        #expect(
            line.object?.keys == [
                "at", "level", "message", "event", "operation", "tenant", "path", "status", "requestId", "peer",
                "diagnosis",
            ]
        )
        #expect([line["level"], line["event"]] == ["info", "control.change"])
        #expect([line["operation"], line["tenant"], line["status"]] == ["control.clearJournal", "suite-1", 204])
        #expect([line["requestId"], line["diagnosis"]] == ["mine", .array([])])
        #expect(line["peer"]?.string?.isEmpty == false)
        #expect(lines.allSatisfy { !$0.contains("s3cret") && $0.hasSuffix("}\n") })
    }

    @Test func `a change that is refused is told with its code and without its body`() async throws {
        let lines = try await Self.audited { sandbox in
            _ = try await sandbox.control("POST", "/v1/cards", body: #"{"issuerId":"s3cret"}"#)
        }
        #expect(lines.count == 1)
        let line = try JSON.parse(Array((lines.first ?? "").utf8))
        #expect(line["event"] == "control.change" && line["operation"] == "control.createCard")
        #expect((400...499).contains(line["status"]?.integer ?? 0) && line["diagnosis"]?.array?.isEmpty == false)
        #expect(!lines[0].contains("s3cret"))
    }

    @Test func `members that nobody knows are in the line, masked`() async throws {
        let lines = try await Self.audited { sandbox in
            let body: JSON = ["strictnes": "s3cret", "4111111111111111": 1, "magicData": true]
            _ = try await sandbox.control("PATCH", "/v1/tenants/default", body)
        }
        let line = try JSON.parse(Array((lines.first ?? "").utf8))
        #expect(line["unknownMembers"] == ["/strictnes", "/************1111"], "\(lines)")
        #expect(lines.allSatisfy { !$0.contains("s3cret") && !$0.contains("4111111111111111") })
    }

    @Test func `a call without the token is told, whatever it asks for; the token is not`() async throws {
        let lines = try await Self.audited(token: "right") { sandbox in
            _ = try await sandbox.control("GET", "/v1/tokens")
            _ = try await sandbox.control("DELETE", "/v1/journal", headers: [("authorization", "Bearer wr0ng")])
        }
        let read = try lines.map { try JSON.parse(Array($0.utf8)) }
        #expect(read.map { $0["event"] } == ["control.unauthorized", "control.unauthorized"])
        #expect(read.map { $0["status"] } == [401, 401])
        #expect(read.map { $0["diagnosis"] } == [["CONTROL_TOKEN_MISSING"], ["CONTROL_TOKEN_WRONG"]])
        #expect(lines.allSatisfy { !$0.contains("wr0ng") && !$0.contains("right") })
    }

    @Test func `reading leaves no line, nor does the API, nor a quieter level`() async throws {
        let lines = try await Self.audited { sandbox in
            for path in ["/healthz", "/metrics", "/v1/issuers", "/v1/journal", "/v1/nothing"] {
                _ = try await sandbox.control("GET", path)
            }
            _ = try await sandbox.api("POST", "/wallet/apple/devices", ["kind": "phone"])
        }
        #expect(lines == [])
        let quiet = try await Self.audited(level: .warning) { sandbox in
            _ = try await sandbox.control("DELETE", "/v1/journal")
        }
        #expect(quiet == [])
    }
}

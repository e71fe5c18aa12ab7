import Sandbox
import SandboxTesting
import Synchronization
import Testing
import Wire

/// What of requests an operator sees and allows: a line for each on demand, and faults that a request orders for itself.
struct RequestLogTests {
    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])

        func append(_ line: [UInt8]) { lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) } }

        var all: [String] { lines.withLock { $0 } }
    }

    private static func logged(
        _ isOn: SandboxConfiguration.Switch,
        level: Log.Level = .info,
        _ body: (TestSandbox) async throws -> Void
    ) async throws -> [String] {
        let lines = Lines()
        let log = Log(level: level, now: { Instant(seconds: 0) }, write: { lines.append($0) })
        try await withSandbox(configure: { $0.requestLog = isOn }, log: log) { try await body($0) }
        return lines.all
    }

    @Test func `each request of both ports is one line at info, without query, body and card numbers`() async throws {
        let lines = try await Self.logged(.on) { sandbox in
            let headers = [("x-request-id", "mine"), ("x-sandbox-tenant", "suite-1")]
            let body: JSON = ["kind": "phone", "name": "s3cret"]
            _ = try await sandbox.send(.api, "POST", "/wallet/apple/devices?q=s3cret", body.bytes, headers)
            _ = try await sandbox.api("GET", "/wallet/apple/devices/4111111111111111")
            _ = try await sandbox.control("GET", "/healthz")
        }
        let read = try lines.map { try JSON.parse(Array($0.utf8)) }
        #expect(read.map { $0["level"] } == ["info", "info", "info"])
        #expect(read.map { $0["method"] } == ["POST", "GET", "GET"])
        let paths: [JSON] = ["/wallet/apple/devices", "/wallet/apple/devices/************1111", "/healthz"]
        #expect(read.compactMap { $0["path"] } == paths)
        #expect(read.map { $0["status"] } == [201, 404, 200], "\(lines)")
        #expect(read.allSatisfy { $0["durationMs"]?.integer != nil && $0["peer"]?.string?.isEmpty == false })
        #expect([read[0]["requestId"], read[0]["tenant"]] == ["mine", "suite-1"])
        #expect(lines.allSatisfy { !$0.contains("s3cret") && !$0.contains("4111111111111111") })
    }

    @Test func `it is off by default, and at debug each request is one line, too`() async throws {
        for (isOn, level, count) in [
            (SandboxConfiguration().requestLog, Log.Level.info, 0), (.on, .warning, 0), (.off, .debug, 1),
            (.on, .debug, 1),
        ] {
            let lines = try await Self.logged(isOn, level: level) { sandbox in
                _ = try await sandbox.api("GET", "/wallet/apple/devices")
            }
            #expect(lines.count == count, "\(isOn) \(level): \(lines)")
        }
    }

    @Test func `a fault that a request orders is refused by name where the server obeys none; rules stay`() async throws
    {
        try await withSandbox(configure: { $0.requestFaults = .off }) { sandbox in
            for fault in ["status=503", "nonsense"] {
                let reply = try await sandbox.send(
                    .api,
                    "GET",
                    "/wallet/apple/devices",
                    nil,
                    [("x-sandbox-fault", fault)]
                )
                #expect((reply.status, reply.diagnosis) == (400, ["FAULT_HEADER_OFF"]), "\(reply.summary)")
            }
            let rule: JSON = ["effect": ["respond": ["status": 503]]]
            #expect(try await sandbox.control("POST", "/v1/faults", rule).status == 201)
            #expect(try await sandbox.api("GET", "/wallet/apple/devices").status == 503)
        }
        try await withSandbox { sandbox in
            let ordered = [("x-sandbox-fault", "status=503")]
            let refused = try await sandbox.send(.api, "GET", "/wallet/apple/devices", nil, ordered)
            #expect(refused.status == 503)
        }
    }
}

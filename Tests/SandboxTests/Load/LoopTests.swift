import Sandbox
import SandboxTesting
import Testing
import Transport
import Web
import Wire

/// The threads that serve connections, and what they are not held by.
struct LoopTests {
    @Test func `their number comes by flag, environment or file`() async throws {
        func read(_ arguments: [String], _ environment: [String: String] = [:], file: String = "") throws -> Int {
            try ConfigurationReader.read(arguments, environment: environment) { _ in file }.loops
        }
        let variable = "TSP_SANDBOX_LOOPS"
        #expect((1...4).contains(try read([])))
        #expect(try read(["--loops", "1"]) == 1)
        #expect(try read(["--loops", "5"], [variable: "6"]) == 5)
        #expect(try read([], [variable: "6"]) == 6)
        #expect(try read(["--config", "f"], file: #"{"loops":7}"#) == 7)
        for text in ["0", "-1", "x", "1.5", "65", "99999999999999999999"] {
            #expect(throws: UsageFault.self) { try read(["--loops=\(text)"]) }
        }
    }

    #if DEBUG
    /// A step that a busy machine made long is short another time; one that is long each time is long.
    private static let mostWalks = 8

    @Test(.timeLimit(.minutes(10)))
    func `no operation holds one for long`() async throws {
        var long = try await longRequests()
        for _ in 1..<Self.mostWalks where !long.isEmpty { long.formIntersection(try await longRequests()) }
        #expect(long.sorted() == [])
    }

    /// What had a long step in a walk through everything that is served.
    private func longRequests() async throws -> Set<String> {
        try await withSandbox(configure: { $0.loops = 3 }, isLive: true) { sandbox in
            try await SeededStory(sandbox).tell()
            try await crowd(sandbox)
            try await control(sandbox)
            return Set(sandbox.longSteps.map { "\($0.request ?? "none")" })
        }
    }

    /// Long lists, and bodies of every length that is still taken.
    private func crowd(_ sandbox: TestSandbox) async throws {
        for _ in 0..<200 { _ = try await sandbox.device() }
        _ = try await sandbox.api("GET", "/wallet/apple/devices")
        for bytes in [1_000, 10_000, 17_000, 1_000_000] {
            let body: JSON = ["name": .string(String(repeating: "4", count: bytes))]
            _ = try await sandbox.api("POST", "/wallet/apple/devices", body)
            _ = try await sandbox.api("POST", "/mg/tpc/DEMOBANK01/getTokens", body)
            let zipped = gzipped(body.bytes)
            let headers = [("content-encoding", "gzip")]
            _ = try await sandbox.send(.api, "POST", "/wallet/apple/devices", zipped, headers)
        }
    }

    /// Every call of the control API that reads, with much to read, and worlds that move.
    private func control(_ sandbox: TestSandbox) async throws {
        for label in sandbox.application.controlLabels where label.hasPrefix("GET ") {
            let path = String(label.split(separator: " ")[1])
            let wait = path.hasSuffix("/wait") ? "?timeout=0.1" : ""
            _ = try await sandbox.control("GET", path.replacing("{name}", with: "default") + wait)
        }
        let world = try await sandbox.control("GET", "/v1/export")
        #expect(try await sandbox.send(.control, "POST", "/v1/import", world.response.body, []).status == 204)
        let snapshot = try await sandbox.control("POST", "/v1/snapshots").text("id")
        #expect(try await sandbox.control("POST", "/v1/snapshots/\(snapshot)/restore").status == 204)
        #expect(try await sandbox.control("POST", "/v1/tenants/default/fork", ["as": "twin"]).status == 201)
        let reset = try await sandbox.control("POST", "/v1/tenants/default/reset")
        #expect(reset.status == 200, "\(reset.text)")
    }
    #endif
}

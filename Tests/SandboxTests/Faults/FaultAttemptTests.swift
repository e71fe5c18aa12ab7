import SandboxTesting
import Testing
import Wire

/// Which try of a request a rule is about.
struct FaultAttemptTests {
    private static let devices = "/wallet/apple/devices"

    private static func call(_ sandbox: TestSandbox) async throws -> Int {
        try await sandbox.api("GET", devices, headers: [("x-request-id", "same")]).status
    }

    /// What a suite does between the tries of a client, and the number of the try that comes after two others.
    @Test(arguments: [
        ("DELETE", "/v1/journal", 3), ("POST", "/v1/tenants/default/reset", 1), ("DELETE", "/v1/faults", 3),
    ])
    func `tries are counted on until a reset`(_ method: String, _ path: String, _ attempt: Int64) async throws {
        try await withSandbox { sandbox in
            for _ in 0..<2 { #expect(try await Self.call(sandbox) == 200) }
            #expect([200, 204].contains(try await sandbox.control(method, path).status))
            let rule: JSON = ["match": ["attempt": .number(attempt)], "effect": ["respond": ["status": 418]]]
            #expect(try await sandbox.control("POST", "/v1/faults", rule).status == 201)
            #expect(try await Self.call(sandbox) == 418)
            #expect(try await Self.call(sandbox) == 200)
            let items = try await sandbox.control("GET", "/v1/journal/same")["items"].array ?? []
            #expect(items.prefix(2).compactMap { $0["attempt"]?.integer } == [attempt + 1, attempt])
        }
    }
}

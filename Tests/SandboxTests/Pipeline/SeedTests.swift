import Core
import SandboxTesting
import Testing
import Wire

/// Same seed, same calls, same answers.
struct SeedTests {
    /// Ids, numbers and codes that a short story draws.
    private func story(seed: UInt64) async throws -> [String] {
        try await withSandbox(seed: seed) { sandbox in
            let phone = try await sandbox.device()
            let made = try await sandbox.provision(phone, .visa, .visa)
            let watch = try await sandbox.device("watch", pairedWith: phone)
            let yellow = try await sandbox.manualEntry(watch, .visa, .visa)
            let serial = yellow["pass"]["serialNumber"]?.string ?? ""
            let path = "/wallet/apple/devices/\(watch)/passes/\(serial)/activation-code"
            let sent = try await sandbox.api("POST", path, ["method": "SMS"])
            let texts = try await ["tokens", "cards", "activation-codes"].map { "/v1/" + $0 }.async { path in
                try await sandbox.control("GET", path).text
            }
            return texts + [phone, made.text("tokenId"), sent.header("x-request-id") ?? ""]
        }
    }

    @Test func `two worlds with one seed draw the same, with two seeds another`() async throws {
        let (first, second, other) = try await (story(seed: 7), story(seed: 7), story(seed: 8))
        #expect(first == second)
        #expect(zip(first, other).allSatisfy { $0 != $1 })
    }
}

extension Array where Element: Sendable {
    /// The elements changed one after the other.
    fileprivate func async<Value>(_ change: (Element) async throws -> Value) async throws -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await change(element)) }
        return values
    }
}

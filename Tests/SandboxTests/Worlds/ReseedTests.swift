import Core
import Sandbox
import SandboxTesting
import Testing
import Wire

/// A seed that is set in a world that was used.
struct ReseedTests {
    @Test func `a seed that is set twice gives two devices`() async throws {
        try await withSandbox { sandbox in
            var devices: [String] = []
            for _ in 0..<2 {
                _ = try await sandbox.control("PATCH", "/v1/tenants/default", ["seed": 7])
                devices.append(try await sandbox.device())
            }
            #expect(Set(devices).count == 2)
            let listed = try await sandbox.api("GET", "/wallet/apple/devices")["items"].array ?? []
            #expect(listed.compactMap { $0["deviceId"]?.string } == devices)
        }
    }
}

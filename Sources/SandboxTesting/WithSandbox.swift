package import Core
package import Networks
package import Sandbox
import Wire

/// Runs a test against a sandbox of its own: in this process, or with `TSP_SANDBOX_LIVE=1` over sockets.
///
/// - Parameters:
///   - seed: two sandboxes with one seed draw the same ids, numbers and codes.
///   - root: the folder with `fixtures/` and `keys/`; the package's own by default.
///   - body: the test. The sandbox is closed after it.
public func withSandbox<Result: Sendable>(
    seed: UInt64 = 1,
    root: String = packageRoot,
    _ body: (TestSandbox) async throws -> Result
) async throws -> Result {
    try await withSandbox(seed: seed, root: root, configure: { _ in }, body)
}

/// - Parameter isLive: whether the requests go over sockets.
package func withSandbox<Result: Sendable>(
    seed: UInt64 = 1,
    root: String = packageRoot,
    configure: (inout SandboxConfiguration) -> Void,
    sleep: @escaping @Sendable (_ milliseconds: Int64) async throws -> Void = {
        try await Task.sleep(for: .milliseconds($0))
    },
    log: Log = .none,
    store: (@Sendable (any Store) -> any Store)? = nil,
    isLive: Bool = LiveTransport.isWanted,
    faces: [any Face] = FaceCatalog.all,
    _ body: (TestSandbox) async throws -> Result
) async throws -> Result {
    var configuration = SandboxConfiguration()
    configuration.store = .memory
    configuration.seed = seed
    configuration.fixturesFolder = root + "/fixtures"
    configuration.keysFolder = root + "/keys"
    configure(&configuration)
    let clock = TestClock()
    var platform = SandboxApplication.Platform(now: { clock.now }, newSeed: { seed }, sleep: sleep, log: log)
    if let store { platform.store = store }
    if isLive {
        let live = try await LiveTransport.start(configuration, platform, faces)
        let sandbox = TestSandbox(
            application: live.application,
            clock: clock,
            configuration: configuration,
            transport: live
        )
        return try await ending(sandbox, body) { await live.stop() }
    }
    let application = try await SandboxApplication.build(configuration, platform, faces: faces)
    let sandbox = TestSandbox(
        application: application,
        clock: clock,
        configuration: configuration,
        transport: InProcessTransport(application: application)
    )
    return try await ending(sandbox, body) { await application.close() }
}

/// Runs the test, then `close`, whatever came of it.
private func ending<Result: Sendable>(
    _ sandbox: TestSandbox,
    _ body: (TestSandbox) async throws -> Result,
    close: () async -> Void
) async throws -> Result {
    do {
        let result = try await body(sandbox)
        await close()
        return result
    } catch {
        await close()
        throw error
    }
}

/// The folder of this package, found from where this file stands.
public let packageRoot: String = {
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    return parts.dropLast(3).joined(separator: "/")
}()

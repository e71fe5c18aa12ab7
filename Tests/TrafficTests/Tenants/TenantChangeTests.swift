import Core
import Synchronization
import Testing
import Wire

@testable import Traffic

/// Changes of a world as a whole: one after the other, and nobody sees one half done.
@Suite struct TenantChangeTests {
    private static let name = TenantName("world") ?? .default

    private static func directory() -> TenantDirectory {
        let environment = Environment(
            systemNow: { Instant(seconds: 100) },
            newSeed: { 1 },
            panPolicy: PANPolicy(mode: .any, numbers: [], ranges: [])
        )
        return TenantDirectory(worlds: Worlds(store: MemoryStore(), environment: environment)) { _ in
            (Tenant(seed: 1), true)
        }
    }

    @Test func `who asks for a tenant waits for the change, and sees what came of it`() async throws {
        let directory = Self.directory()
        let before = try await directory.context(for: Self.name).context
        let gate = Gate()
        async let change: Void? = directory.change(Self.name, keepsContext: false) {
            await gate.reached()
            await gate.opened()
            return (.anew(Tenant(seed: 2)), ())
        }
        await gate.whenReached()
        #expect(directory.known(Self.name) == nil)
        let asked = Task { try await directory.context(for: Self.name).context }
        gate.open()
        _ = try await change
        let after = try await asked.value
        #expect(after !== before && after === directory.known(Self.name))
    }

    @Test func `changes of one world do not overlap`() async throws {
        let directory = Self.directory()
        let running = Counter()
        let most = try await withThrowingTaskGroup(of: Int?.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    try await directory.change(Self.name, keepsContext: true) {
                        let now = running.add(1)
                        await Task.yield()
                        running.add(-1)
                        return (.unchanged, now)
                    }
                }
            }
            return try await group.reduce(0) { max($0, $1 ?? 99) }
        }
        #expect(most == 1)
    }

    @Test func `a change keeps, replaces or ends what memory has of the tenant`() async throws {
        let directory = Self.directory()
        let first = try await directory.context(for: Self.name).context
        var strict = Tenant(seed: 1)
        strict.sequence = 9
        strict.settings.strictness = .strict
        let changed = strict
        try await directory.change(Self.name, keepsContext: true) { (.changed(changed), ()) }
        #expect(directory.known(Self.name) === first && first.settings.strictness == .strict)
        try await directory.change(Self.name, keepsContext: true) { (.unchanged, ()) }
        #expect(directory.known(Self.name) === first)
        await #expect(throws: StoreFault.self) {
            try await directory.change(Self.name, keepsContext: false) { () -> (TenantDirectory.Outcome, Int) in
                throw StoreFault(reason: .failed, message: "")
            }
        }
        #expect(directory.known(Self.name) === first)
        try await directory.change(Self.name, keepsContext: false) { (.removed, ()) }
        #expect(directory.known(Self.name) == nil)
    }

    @Test func `a change ends what waits, and waits for the requests that have begun`() async throws {
        let directory = Self.directory()
        let pauses = Pauses()
        let context = try await directory.context(for: Self.name, enters: true).context
        let pause = pauses.open(in: Self.name)
        let order = Counter()
        async let change = directory.change(Self.name, keepsContext: false, ending: pauses) {
            (.anew(Tenant(seed: 2)), order.add(1))
        }
        // The request waits for ten minutes, and longer when it is let go.
        #expect(await pauses.wait(pause, in: Self.name, milliseconds: 600_000) == .tenantEnded)
        #expect(await pauses.pause(in: Self.name, milliseconds: 600_000) == .tenantEnded)
        let atItsEnd = order.add(1)
        context.leave()
        #expect(try await change == 2 && atItsEnd == 1 && !context.hasRequests)
        let after = try await directory.context(for: Self.name, enters: true).context
        #expect(after !== context && after.hasRequests)
        // Nor is a tenant idle that has a request under way.
        let limit = Instant(seconds: 1_000)
        let drop = try await directory.change(Self.name, keepsContext: false, ifUnusedSince: limit) { (.removed, true) }
        #expect(drop == nil)
    }

    @Test func `a tenant that was used since is not changed`() async throws {
        let directory = Self.directory()
        let context = try await directory.context(for: Self.name).context
        context.use(at: Instant(seconds: 50))
        func drop(_ seconds: Int64) async throws -> Bool? {
            try await directory.change(Self.name, keepsContext: false, ifUnusedSince: Instant(seconds: seconds)) {
                (.removed, true)
            }
        }
        #expect(try await drop(49) == nil && directory.known(Self.name) === context)
        #expect(try await drop(50) == true && directory.known(Self.name) == nil)
    }

    @Test func `a change that is committed while the tenant is read is not overwritten by what was read`() async throws
    {
        let gate = Gate()
        let readings = Counter()
        let environment = Environment(
            systemNow: { Instant(seconds: 0) },
            newSeed: { 1 },
            panPolicy: PANPolicy(mode: .any, numbers: [], ranges: [])
        )
        let directory = TenantDirectory(worlds: Worlds(store: MemoryStore(), environment: environment)) { _ in
            var tenant = Tenant(seed: 1)
            if readings.add(1) == 1 {
                await gate.reached()
                await gate.opened()
            } else {
                tenant.sequence = 1
                tenant.settings.strictness = .strict
            }
            return (tenant, true)
        }
        async let asked = directory.context(for: Self.name).context
        await gate.whenReached()
        var committed = Tenant(seed: 1)
        committed.sequence = 1
        committed.settings.strictness = .strict
        directory.takeOver(committed, of: Self.name)
        gate.open()
        #expect(try await asked.settings.strictness == .strict)
        #expect(directory.known(Self.name)?.settings.strictness == .strict)
    }
}

/// Holds a task at a place until the test lets it go on.
private final class Gate: Sendable {
    private let place = AsyncStream<Void>.makeStream()
    private let way = AsyncStream<Void>.makeStream()

    func reached() async { place.continuation.finish() }
    func whenReached() async { for await _ in place.stream {} }
    func open() { way.continuation.finish() }
    func opened() async { for await _ in way.stream {} }
}

private final class Counter: Sendable {
    private let count = Mutex(0)

    @discardableResult
    func add(_ number: Int) -> Int {
        count.withLock { count in
            count += number
            return count
        }
    }
}

extension TenantContext {
    fileprivate var settings: Tenant.Settings { reading(system: Instant(seconds: 0)).settings }
}

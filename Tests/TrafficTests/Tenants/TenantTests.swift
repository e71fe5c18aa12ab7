import Core
import Synchronization
import Testing
import Wire

@testable import Traffic

@Suite struct RequestIDTests {
    @Test(arguments: [
        ("a", true), ("A-Z_0.9", true), (String(repeating: "a", count: 64), true),
        ("6f1f5c1e-9c1e-4f0b-8a51-0d2b5f3c7a11", true), ("20300101-120000-000123", true), ("1700000000000", true),
        ("1111111111111111", true), ("DNITHE411111111111111111", true),
        ("", false), (String(repeating: "a", count: 65), false), ("a b", false), ("a/b", false), ("a,b", false),
        ("a:b", false), ("é", false), ("a\n", false),
        // A card number, however it is dressed.
        ("4111111111111111", false), ("4111-1111-1111-1111", false), ("4111.1111.1111.1111", false),
        ("4111_1111_1111_1111", false), ("req4111111111111111x", false), ("req-4111111111111111-1", false),
        ("1-4111111111111111", false), ("2030-4111-1111-1111-1111", false), ("378282246310005", false),
        ("5123456789012345", false),
    ])
    func `an id is one to 64 safe characters without a card number`(_ text: String, _ isUsable: Bool) {
        #expect(RequestID.isUsable(text) == isUsable)
    }

    @Test func `ids that are made are usable, and one seed gives one row of them`() {
        let contexts = [1, 1, 2].map {
            TenantContext(name: .default, tenant: Tenant(seed: $0), now: Instant(seconds: 0))
        }
        let rows = contexts.map { context in (0..<400).map { _ in context.newRequestID() } }
        #expect(rows[0] == rows[1] && Set(rows[0] + rows[2]).count == 800)
        #expect(rows[0].filter { !RequestID.isUsable($0) || !$0.hasPrefix("req-") || $0.utf8.count != 24 } == [])
    }

    @Test func `an id that would hold a card number is not given out`() {
        var draws = Draws(seed: 5)
        let ids = (0..<60_000).map { _ in RequestID.make(&draws) }
        // Some would have; they are those with letters behind f.
        #expect(ids.allSatisfy(RequestID.isUsable) && ids.contains { $0.dropFirst(4).contains { $0 > "f" } })
        #expect(Set(ids).count == ids.count)
    }
}

@Suite struct TenantContextTests {
    @Test func `a committed change is taken over`() {
        var tenant = Tenant(seed: 1)
        let context = TenantContext(name: .default, tenant: tenant, now: Instant(seconds: 0))
        let system = Instant(seconds: 10)
        let before = context.reading(system: system)
        tenant.settings.strictness = .strict
        tenant.clock = TenantClock(mode: .system(offsetMilliseconds: 250))
        tenant.sequence += 1
        context.update(tenant)
        // A change that was committed earlier and comes later changes nothing.
        var older = tenant
        older.sequence -= 1
        older.settings.strictness = .lenient
        context.update(older)
        #expect(before == (Tenant.Settings(), system))
        let after = context.reading(system: system)
        #expect(after.settings == tenant.settings && after.now.milliseconds == 10_250)
    }
}

@Suite struct TenantDirectoryTests {
    private static let name = TenantName("new") ?? .default

    private static func worlds(_ store: MemoryStore) -> Worlds {
        Worlds(
            store: store,
            environment: Environment(
                systemNow: { Instant(seconds: 0) },
                newSeed: { 1 },
                panPolicy: PANPolicy(mode: .any, numbers: [], ranges: [])
            )
        )
    }

    private static func directory(_ store: MemoryStore, creating: Bool = true) -> TenantDirectory {
        let create: TenantDirectory.Create = { name in
            await store.fill(name)
            return (Tenant(seed: 1), true)
        }
        return TenantDirectory(worlds: worlds(store), create: creating ? create : nil)
    }

    @Test func `a tenant is made when it is first named, and kept`() async throws {
        let store = MemoryStore()
        let directory = Self.directory(store)
        let before = directory.known(Self.name) == nil
        let first = try await directory.context(for: Self.name)
        let second = try await directory.context(for: Self.name)
        #expect(before && first.created && !second.created && first.context === second.context)
        #expect(directory.known(Self.name) === first.context && first.context.name == Self.name && store.fills == 1)
    }

    @Test func `a tenant that the store has is not made again`() async throws {
        let store = MemoryStore()
        await store.fill(Self.name)
        let created = try await Self.directory(store, creating: false).context(for: Self.name).created
        #expect(!created && store.fills == 1)
    }

    @Test func `no tenant is made where that is not allowed`() async {
        await #expect(throws: UnknownTenant(name: Self.name)) {
            try await Self.directory(MemoryStore(), creating: false).context(for: Self.name)
        }
    }

    @Test func `requests that name a new tenant together make it once`() async throws {
        let store = MemoryStore()
        let directory = Self.directory(store)
        let found = try await withThrowingTaskGroup(of: (ObjectIdentifier, Bool).self) { group in
            for _ in 0..<16 {
                group.addTask {
                    let (context, created) = try await directory.context(for: Self.name)
                    return (ObjectIdentifier(context), created)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(store.fills == 1 && Set(found.map(\.0)).count == 1 && found.count(where: \.1) == 1)
    }

    @Test func `a tenant that could not be made is tried again`() async throws {
        let store = MemoryStore()
        let failures = Mutex(1)
        let directory = TenantDirectory(worlds: Self.worlds(store)) { name in
            if failures.withLock({
                $0 -= 1; return $0 >= 0
            }) {
                throw StoreFault(reason: .notWritable, message: "")
            }
            await store.fill(name)
            return (Tenant(seed: 1), true)
        }
        await #expect(throws: StoreFault.self) { try await directory.context(for: Self.name) }
        #expect(try await directory.context(for: Self.name).created)
    }

    @Test func `a request that may make no tenant finds those there are`() async throws {
        let store = MemoryStore()
        let directory = Self.directory(store)
        await #expect(throws: UnknownTenant(name: Self.name)) {
            try await directory.context(for: Self.name, creates: false)
        }
        let made = try await directory.context(for: Self.name)
        let found = try await directory.context(for: Self.name, creates: false)
        #expect(made.created && !found.created && found.context === made.context && store.fills == 1)
    }

    @Test func `a tenant that is wanted while it is only looked for is made`() async throws {
        for _ in 0..<20 {
            let store = MemoryStore()
            let directory = Self.directory(store)
            async let looked: Void? = try? await { _ = try await directory.context(for: Self.name, creates: false) }()
            async let wanted = directory.context(for: Self.name).context.name
            _ = await looked
            #expect(try await wanted == Self.name && store.fills == 1)
        }
    }
}

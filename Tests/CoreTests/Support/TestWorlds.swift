import Core
import Crypto
import Store
import Testing
import Wire

/// The time of every world in these tests: 2030-01-01T00:00:00Z.
let testNow = Instant(seconds: 1_893_456_000)

/// A vault over an empty store in memory, with the default tenant.
///
/// The store closes when the vault is let go.
struct TestWorlds: Sendable {
    let worlds: Worlds
    /// What the worlds are kept in.
    let store: any Store

    init(seed: UInt64 = 42, listeners: [DomainEvent.Listener] = []) async throws {
        let store = try await SQLiteStore.open(
            StoreConfiguration(.memory, lookupHash: { HMAC.sha256($1, key: SecretBytes($0)) })
        )
        let environment = Environment(
            systemNow: { testNow },
            newSeed: { seed },
            panPolicy: PANPolicy(mode: .any, numbers: [], ranges: []),
            listeners: listeners
        )
        self.store = store
        worlds = Worlds(store: store, environment: environment)
        try await worlds.fill(.default, .ifMissing, seed: seed) { world in try world.store.put(Samples.issuer()) }
    }

    func write<Value: Sendable>(_ body: @escaping @Sendable (World) throws -> Value) async throws -> Value {
        try await worlds.write(.default, body)
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (View) throws -> Value) async throws -> Value {
        try await worlds.read(.default, body)
    }

    /// Moves the tenant's clock to so many seconds after ``testNow``.
    func move(to milliseconds: Int64) async throws {
        try await write { $0.tenant.clock = TenantClock(mode: .system(offsetMilliseconds: milliseconds)) }
    }
}

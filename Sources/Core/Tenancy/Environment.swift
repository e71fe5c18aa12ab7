package import Wire

/// What the domain takes from outside: time, entropy and the rules the server was started with.
package struct Environment: Sendable {
    /// The system's time; a tenant's clock stands on it.
    package var systemNow: @Sendable () -> Instant
    /// A new seed for a tenant that names none.
    package var newSeed: @Sendable () -> UInt64
    /// Which card numbers may come in.
    package var panPolicy: PANPolicy
    /// Every kind of record that a world holds.
    package var kinds: RecordKinds
    /// What the faces make of what happens in a world.
    package var listeners: [DomainEvent.Listener]

    /// Made of its members.
    package init(
        systemNow: @escaping @Sendable () -> Instant,
        newSeed: @escaping @Sendable () -> UInt64,
        panPolicy: PANPolicy,
        kinds: RecordKinds = RecordKinds(),
        listeners: [DomainEvent.Listener] = []
    ) {
        self.systemNow = systemNow
        self.newSeed = newSeed
        self.panPolicy = panPolicy
        self.kinds = kinds
        self.listeners = listeners
    }
}

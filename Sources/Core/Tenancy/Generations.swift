import Synchronization

/// Counts the changes of each world in memory, so that an answer can be kept until the world has changed.
package final class Generations: Sendable {
    private let counts = Mutex<[TenantName: UInt64]>([:])

    /// The world's number of changes since the server started. Take it before the reading that is kept.
    package func current(_ name: TenantName) -> UInt64 { counts.withLock { $0[name] ?? 0 } }

    func advance(_ name: TenantName) { counts.withLock { $0[name, default: 0] += 1 } }
}

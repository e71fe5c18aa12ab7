import Synchronization

/// Counts the changes of each world in memory, so that an answer can be kept until the world has changed.
package final class Generations: Sendable {
    private struct State {
        var counts: [TenantName: UInt64] = [:]
        /// Where the count of a world begins that is not counted yet: no removed world had more.
        var start: UInt64 = 0
    }

    private let state = Mutex(State())

    /// The world's number of changes since the server started. Take it before the reading that is kept.
    package func current(_ name: TenantName) -> UInt64 {
        state.withLock { state in state.counts[name] ?? state.start }
    }

    func advance(_ name: TenantName) {
        state.withLock { state in state.counts[name, default: state.start] += 1 }
    }

    /// The world was removed; another one of its name begins with a number that this one never had.
    func forget(_ name: TenantName) {
        state.withLock { state in
            let count = state.counts.removeValue(forKey: name) ?? state.start
            state.start = max(state.start, count + 1)
        }
    }
}

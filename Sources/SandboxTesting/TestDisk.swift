package import Core
import Synchronization

/// A disk that a test fills and empties. Stores on it take no change while it is full.
package final class TestDisk: Sendable {
    private let full = Mutex(false)

    package init() {}

    package var isFull: Bool {
        get { full.withLock { $0 } }
        set { full.withLock { $0 = newValue } }
    }

    /// A write is decided as ever and fails at its end, as SQLite's commit does.
    package func under(_ store: any Store) -> any Store {
        StoreUnderTest(
            store: store,
            end: {
                guard self.isFull else { return }
                throw StoreFault(reason: .notWritable, message: "SQLite 13: database or disk is full")
            }
        )
    }
}

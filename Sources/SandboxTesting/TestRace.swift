package import Core
import Synchronization

/// Another client that is always a little faster: before a change of somebody else is stored, it makes one of its own.
package final class TestRace: Sendable {
    /// A change of a world.
    package typealias Change = @Sendable (RecordWriter) throws -> Void

    private let left = Mutex<(count: Int, change: Change)>((0, { _ in }))

    package init() {}

    /// Makes `change` before each of the next `count` changes.
    package func run(_ count: Int, _ change: @escaping Change) { left.withLock { $0 = (count, change) } }

    /// None is to come.
    package var isOver: Bool { left.withLock { $0.count == 0 } }

    package func under(_ store: any Store) -> any Store {
        StoreUnderTest(
            store: store,
            before: { store, tenant in
                // As another process would, which shares no memory with this one.
                if let change = self.next() { try await RecordStore(store).write(tenant, change) }
            }
        )
    }

    private func next() -> Change? {
        left.withLock { left in
            guard left.count > 0 else { return nil }
            left.count -= 1
            return left.change
        }
    }
}

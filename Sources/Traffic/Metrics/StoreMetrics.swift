import Synchronization

/// How long the store's calls take.
package final class StoreMetrics: Sendable {
    package enum Access: String, Sendable, CaseIterable {
        case read, write
    }

    private let reads = Mutex(Histogram(bounds: Histogram.storeBounds))
    private let writes = Mutex(Histogram(bounds: Histogram.storeBounds))

    package init() {}

    package func count(_ access: Access, microseconds: Int64) {
        switch access {
        case .read: reads.withLock { $0.record(microseconds: microseconds) }
        case .write: writes.withLock { $0.record(microseconds: microseconds) }
        }
    }

    package func reading(_ access: Access) -> Histogram {
        switch access {
        case .read: reads.withLock { $0 }
        case .write: writes.withLock { $0 }
        }
    }
}

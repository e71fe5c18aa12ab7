import Synchronization

/// One face's requests, behind a lock of their own.
final class FaceMetrics: Sendable {
    struct Key: Hashable {
        let operation: String
        let status: Int
    }

    struct State: Sendable {
        var requests: [Key: Int] = [:]
        var durations = Histogram(bounds: Histogram.requestBounds)
    }

    private let state = Mutex(State())

    var reading: State { state.withLock { $0 } }

    func count(_ operation: String, _ status: Int, microseconds: Int64) {
        state.withLock { state in
            state.requests[Key(operation: operation, status: status), default: 0] += 1
            state.durations.record(microseconds: microseconds)
        }
    }
}

import Glibc
import Synchronization

/// One thread. Ends when its work returns; joined at most once.
final class LaneThread: Sendable {
    private let identifier: Mutex<pthread_t?>

    /// Starts the thread; `work` is kept alive until it returns.
    init(_ work: @escaping @Sendable () -> Void) {
        var identifier = pthread_t()
        let box = Unmanaged.passRetained(LaneWork(work))
        let status = pthread_create(&identifier, nil, laneThreadStart, box.toOpaque())
        // No thread at start-up means no memory at all.
        precondition(status == 0, "a thread of the crypto lane could not be started")
        self.identifier = Mutex(identifier)
    }

    /// Waits for the end of the thread.
    func join() {
        let taken = identifier.withLock { identifier -> pthread_t? in
            defer { identifier = nil }
            return identifier
        }
        if let taken { pthread_join(taken, nil) }
    }

    deinit {
        // A thread that nobody waited for cleans up after itself.
        if let left = identifier.withLock({ $0 }) { pthread_detach(left) }
    }
}

/// Carries a closure through C.
private final class LaneWork: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

/// A file-scope function, so that it inherits no isolation.
private func laneThreadStart(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    let work = Unmanaged<LaneWork>.fromOpaque(argument).takeRetainedValue()
    work.run()
    return nil
}

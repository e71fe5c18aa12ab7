import Glibc
import Synchronization

/// One thread. Ends when its work returns; joined at most once.
///
/// It gives way to the threads that read, answer and store: a private key's operation takes a millisecond whatever
/// comes, and a look-up beside it should not wait for that. Without this the thread has the priority of whoever made it,
/// which is higher than the pool's when the process may raise priorities.
final class LaneThread: Sendable {
    /// How much more than the process, in the system's measure: 0 is ordinary and 19 the least.
    static let giving: Int32 = 5
    /// Beyond it the system gives way no further.
    static let mostGiving: Int32 = 19

    private let identifier: Mutex<pthread_t?>

    /// The niceness of the calling thread: on Linux it is a thread's own.
    static var niceness: Int32 {
        get { getpriority(Int32(PRIO_PROCESS.rawValue), 0) }
        // Nothing depends on it but speed, so a refusal does not matter.
        set { _ = setpriority(Int32(PRIO_PROCESS.rawValue), 0, newValue) }
    }

    /// What a lane's thread has: more than the process, which may have been started under `nice`. Whoever makes the lane
    /// may run at less, and its threads would take that over.
    static var wanted: Int32 { min(getpriority(Int32(PRIO_PROCESS.rawValue), id_t(getpid())) + giving, mostGiving) }

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
    LaneThread.niceness = LaneThread.wanted
    work.run()
    return nil
}

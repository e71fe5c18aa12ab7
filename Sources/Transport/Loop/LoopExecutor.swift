internal import Glibc
internal import Synchronization

/// Runs the jobs of actors on the loop thread. Shared by every server and client of one `EventLoop`.
final class LoopExecutor: SerialExecutor {
    let mailbox: LoopMailbox
    /// The loop thread; 0 until it runs.
    private let thread = Atomic<pthread_t>(0)
    /// The thread that runs a job after the loop has ended; 0 for none.
    private let late = Atomic<pthread_t>(0)
    /// Held while the loop does its last work, and for each job that comes after it.
    private let ending = Mutex(())

    /// An executor over `mailbox`.
    init(mailbox: LoopMailbox) { self.mailbox = mailbox }

    /// Called once, on the loop thread, before anything is enqueued.
    func adoptCurrentThread() { thread.store(pthread_self(), ordering: .relaxed) }

    /// Whether the caller runs on the loop thread.
    var isLoopThread: Bool { thread.load(ordering: .relaxed) == pthread_self() }

    /// Whether the caller runs where the loop's actors do.
    var isCurrent: Bool { isLoopThread || late.load(ordering: .relaxed) == pthread_self() }

    /// Any thread: the job runs with the next batch. After the loop has ended it runs where it was brought, one job at
    /// a time: what is left to do then is to find out that everything has been closed.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if mailbox.post(.job(job)) { return }
        // A job of the loop's last work, or of a late one, brings another.
        if isCurrent { return job.runSynchronously(on: asUnownedSerialExecutor()) }
        ending.withLock { _ in
            late.store(pthread_self(), ordering: .relaxed)
            job.runSynchronously(on: asUnownedSerialExecutor())
            late.store(0, ordering: .relaxed)
        }
    }

    /// Keeps jobs that come too late waiting until `body`, the loop's last work, has run. On the loop thread.
    func whileEnding(_ body: () -> Void) {
        ending.withLock { _ in
            body()
            // The system may give the number to another thread.
            thread.store(0, ordering: .relaxed)
        }
    }

    /// Ends the process when called elsewhere.
    func checkIsolated() {
        precondition(isCurrent, "this must run on the loop thread")
    }

    /// The same as an answer.
    func isIsolatingCurrentContext() -> Bool? { isCurrent }
}

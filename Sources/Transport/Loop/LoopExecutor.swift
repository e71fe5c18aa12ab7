internal import Glibc

/// Runs the jobs of actors on the loop thread. Shared by every server and client of one `EventLoop`.
final class LoopExecutor: SerialExecutor, @unchecked Sendable {
    // Safe because `thread` is written once, by the loop thread, before `EventLoop.init` returns, and `late` is written
    // under `ending` only.

    let mailbox: LoopMailbox
    private var thread = pthread_t()
    /// The thread that runs a job after the loop has ended.
    private var late: pthread_t?
    /// Held while the loop does its last work, and for each job that comes after it. Recursive: a job may bring another.
    private let ending = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    /// An executor over `mailbox`.
    init(mailbox: LoopMailbox) {
        self.mailbox = mailbox
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
        pthread_mutex_init(ending, &attributes)
        pthread_mutexattr_destroy(&attributes)
    }

    deinit {
        pthread_mutex_destroy(ending)
        ending.deallocate()
    }

    /// Called once, on the loop thread, before anything is enqueued.
    func adoptCurrentThread() { thread = pthread_self() }

    /// Whether the caller runs on the loop thread.
    var isCurrent: Bool {
        if pthread_equal(thread, pthread_self()) != 0 { return true }
        var isLate = false
        whileEnding { isLate = late.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
        return isLate
    }

    /// Any thread: the job runs with the next batch. After the loop has ended it runs where it was brought, one job at
    /// a time: what is left to do then is to find out that everything has been closed.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if mailbox.post(.job(job)) { return }
        whileEnding {
            let outer = late
            late = pthread_self()
            job.runSynchronously(on: asUnownedSerialExecutor())
            late = outer
        }
    }

    /// Keeps jobs that come too late waiting until `body` has run.
    func whileEnding(_ body: () -> Void) {
        pthread_mutex_lock(ending)
        body()
        pthread_mutex_unlock(ending)
    }

    /// Ends the process when called elsewhere.
    func checkIsolated() {
        precondition(isCurrent, "this must run on the loop thread")
    }

    /// The same as an answer.
    func isIsolatingCurrentContext() -> Bool? { isCurrent }
}

internal import Glibc

/// Runs the jobs of actors on the loop thread. Shared by every server and client of one `EventLoop`.
final class LoopExecutor: SerialExecutor, @unchecked Sendable {
    // Safe because `thread` is written once, by the loop thread, before `EventLoop.init` returns.

    let mailbox: LoopMailbox
    private var thread = pthread_t()

    /// An executor over `mailbox`.
    init(mailbox: LoopMailbox) { self.mailbox = mailbox }

    /// Called once, on the loop thread, before anything is enqueued.
    func adoptCurrentThread() { thread = pthread_self() }

    /// Whether the caller runs on the loop thread.
    var isCurrent: Bool { pthread_equal(thread, pthread_self()) != 0 }

    /// Any thread: the job runs with the next batch.
    func enqueue(_ job: consuming ExecutorJob) {
        let accepted = mailbox.post(.job(UnownedJob(job)))
        precondition(accepted, "an actor of an event loop was used after the loop had ended")
    }

    /// Ends the process when called elsewhere.
    func checkIsolated() {
        precondition(isCurrent, "this must run on the loop thread")
    }

    /// The same as an answer.
    func isIsolatingCurrentContext() -> Bool? { isCurrent }
}

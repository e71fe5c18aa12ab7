/// Runs the tasks that prefer the loop on its thread. What may take long leaves it by another preference (`OffLoop`).
final class LoopTasks: TaskExecutor {
    private let mailbox: LoopMailbox

    /// An executor over `mailbox`.
    init(mailbox: LoopMailbox) { self.mailbox = mailbox }

    /// Any thread: the job runs with the next batch. After the loop has ended the pool runs it.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if !mailbox.post(.task(job)) { globalConcurrentExecutor.enqueue(job) }
    }
}

internal import CLibevent
internal import Glibc
internal import Synchronization

/// One thread that runs libevent, and the tasks of the requests that came in on its connections.
///
/// Every libevent object made with this loop lives on its thread. libevent is used without its locks, so no other thread
/// may call it; they reach the loop through the executors or `post`. Whoever starts the process ignores SIGPIPE
/// (`ignoreBrokenPipes`): libevent and OpenSSL write with calls that raise it when the other side left.
///
/// `stop` or releasing the last reference ends the thread.
package final class EventLoop: Sendable {
    /// Runs the loop's actors.
    let executor: LoopExecutor
    /// Runs the tasks that prefer the loop.
    let tasks: LoopTasks
    /// Open connections of all servers on this loop: one more when a connection is handed to it, one less by its thread.
    let openConnections = Atomic<Int>(0)
    private let thread: LoopThread

    /// Starts the thread.
    package init() throws(TransportFault) {
        let mailbox = try LoopMailbox()
        executor = LoopExecutor(mailbox: mailbox)
        tasks = LoopTasks(mailbox: mailbox)
        thread = try LoopThread(executor: executor, tasks: tasks)
    }

    deinit { thread.stop() }

    /// Makes a write to a connection that the other side left an error instead of the process's end. Once a process.
    package static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

    /// Ends the thread and waits for it; may be called twice, never from the loop thread.
    package func stop() { thread.stop() }

    /// Runs `work` on the loop thread, after all that was posted before. Costs no task and no actor hop. False when
    /// the loop has ended, and the work will never run.
    @discardableResult
    func post(_ work: @escaping @Sendable () -> Void) -> Bool { executor.mailbox.post(.work(work)) }

    /// Whether the caller runs on the loop thread.
    var isCurrent: Bool { executor.isLoopThread }

    /// Runs `work` before the loop looks at its sockets again. Loop thread only.
    func atEndOfRound(_ work: @escaping () -> Void) {
        executor.checkIsolated()
        thread.atEndOfRound(work)
    }

    /// The libevent base. Loop thread only; owned by the thread and freed when it ends.
    var base: OpaquePointer {
        executor.checkIsolated()
        return thread.base
    }

    #if DEBUG
    /// The steps that held the loop for long.
    var longSteps: [LongStep] { thread.watch.seen }
    #endif
}

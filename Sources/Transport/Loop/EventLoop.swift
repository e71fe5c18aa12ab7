internal import CLibevent
internal import Glibc

/// One thread that runs libevent: bytes in and out, and nothing else.
///
/// Every libevent object of the servers made with this loop lives on its thread. libevent is used without its locks, so
/// no other thread may call it; they reach the loop through the executor or `post`. Whoever starts the process ignores
/// SIGPIPE (`ignoreBrokenPipes`): libevent and OpenSSL write with calls that raise it when the other side left.
///
/// Stop the servers first, then the loop. `stop` or releasing the last reference ends the thread.
package final class EventLoop: Sendable {
    let executor: LoopExecutor
    /// Connections that all servers may have open together; each may have its own share besides.
    let sharedConnections: Int
    private let thread: LoopThread

    /// Starts the thread, and lets the process have as many descriptors as it may.
    ///
    /// - Parameter sharedConnections: As many as the descriptors suffice for when nil.
    package init(sharedConnections: Int? = nil) throws(TransportFault) {
        DescriptorLimit.raise()
        self.sharedConnections = sharedConnections ?? DescriptorLimit.sharedConnections
        let executor = LoopExecutor(mailbox: try LoopMailbox())
        self.executor = executor
        thread = try LoopThread(executor: executor)
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

    /// Runs `work` before the loop looks at its sockets again. Loop thread only.
    func atEndOfRound(_ work: @escaping () -> Void) {
        executor.checkIsolated()
        thread.atEndOfRound(work)
    }

    /// Open connections of all servers. Loop thread only.
    var openConnections: Int {
        get { thread.openConnections }
        set { thread.openConnections = newValue }
    }

    /// The libevent base. Loop thread only; owned by the thread and freed when it ends.
    var base: OpaquePointer {
        executor.checkIsolated()
        return thread.base
    }
}

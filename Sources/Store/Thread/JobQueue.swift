import Threads

/// What waits for the store thread. Shared by the tasks that ask and the thread that does.
final class JobQueue: Sendable {
    private struct State: Sendable {
        var jobs = Jobs()
        var isClosing = false
        var isFinished = false
        var closers: [CheckedContinuation<Void, Never>] = []
    }

    private let monitor = Monitor(State())

    /// Queues a read. False when the store is closed; the job is then never run.
    func submit(_ job: ReadJob) -> Bool {
        monitor.signal { state in
            if state.isClosing { return false }
            state.jobs.reads.append(job)
            return true
        }
    }

    /// Queues a write. False when the store is closed; the job is then never run.
    func submit(_ job: WriteJob) -> Bool {
        monitor.signal { state in
            if state.isClosing { return false }
            state.jobs.writes.append(job)
            return true
        }
    }

    /// How many calls wait for the thread.
    var count: Int { monitor.withLock { state in state.jobs.reads.count + state.jobs.writes.count } }

    /// Takes nothing more. The thread finishes what waits and ends.
    func beginClosing() { monitor.signal { state in state.isClosing = true } }

    /// Resumes `closer` when the thread has let the store go.
    func whenFinished(_ closer: CheckedContinuation<Void, Never>) {
        let isFinished = monitor.withLock { state in
            if !state.isFinished { state.closers.append(closer) }
            return state.isFinished
        }
        if isFinished { closer.resume() }
    }

    /// How many writes are taken at once. The rest waits, so that reads come in between.
    static let groupLimit = 256

    /// Every read that waits, and a group of writes; nil when there is nothing left and the store is closing. For the store thread: blocks.
    func take() -> Jobs? {
        monitor.wait { state -> Jobs?? in
            if state.jobs.isEmpty { return state.isClosing ? .some(nil) : nil }
            var taken = Jobs()
            swap(&taken.reads, &state.jobs.reads)
            taken.writes = Array(state.jobs.writes.prefix(Self.groupLimit))
            state.jobs.writes.removeFirst(taken.writes.count)
            return taken
        }
    }

    /// For the store thread: the store is closed and its lock released.
    func finish() {
        let closers = monitor.withLock { state in
            state.isClosing = true
            state.isFinished = true
            return state.closers
        }
        for closer in closers { closer.resume() }
    }
}

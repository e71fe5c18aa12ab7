import Threads

/// Jobs waiting for a thread of the lane.
final class LaneQueue: Sendable {
    private struct Entry {
        let job: UnownedJob
        let executor: UnownedTaskExecutor
    }

    private struct State: Sendable {
        var jobs: [Entry] = []
        /// The first one that nobody has taken.
        var head = 0
        var isClosed = false

        mutating func take() -> Entry? {
            guard head < jobs.count else { return nil }
            let next = jobs[head]
            head += 1
            if head == jobs.count || head >= 1_024 {
                jobs.removeFirst(head)
                head = 0
            }
            return next
        }
    }

    private let monitor = Monitor(State())

    /// Adds a job; false when the queue is closed and the job is not taken.
    func append(_ job: UnownedJob, executor: UnownedTaskExecutor) -> Bool {
        monitor.signal { state in
            if state.isClosed { return false }
            state.jobs.append(Entry(job: job, executor: executor))
            return true
        }
    }

    /// Takes no more jobs and wakes every thread.
    func close() { monitor.broadcast { state in state.isClosed = true } }

    /// Runs jobs until the queue is closed and empty. For the lane's threads: blocks.
    func work() {
        while let next = next() { next.job.runSynchronously(on: next.executor) }
    }

    private func next() -> Entry? {
        monitor.wait { state -> Entry?? in
            if let next = state.take() { return next }
            return state.isClosed ? .some(nil) : nil
        }
    }
}

import Threads

/// Threads of their own for work that takes long: private keys, chains, the search for a pair of hashes.
///
/// Work there never holds up the threads where look-ups run. Jobs are taken in the order they came. The lane gives way to
/// the threads that read, answer and store: a private key's operation takes a millisecond whatever comes, and a look-up
/// beside it should not wait for that.
package final class CryptoLane: TaskExecutor {
    /// How much more niceness than the process has a thread of the lane has.
    static let giving: Int32 = 5
    /// Beyond it the system gives way no further.
    static let mostGiving: Int32 = 19

    private let queue = LaneQueue()
    private let threads: [Thread]

    /// Starts the threads: one per core unless `width` says otherwise, at least one and at most eight.
    package init(width: Int = Processor.count) {
        let queue = queue
        threads = (0..<min(max(width, 1), 8)).map { _ in
            do throws(ThreadFault) {
                return try Thread("crypto") {
                    // Measured from the process, which may have been started under `nice`, and not from whoever makes the lane.
                    Processor.niceness = min(Processor.processNiceness + CryptoLane.giving, CryptoLane.mostGiving)
                    queue.work()
                }
            } catch {
                // No thread at start-up means no memory at all.
                preconditionFailure("a thread of the crypto lane could not be started (\(error.code))")
            }
        }
    }

    /// Number of threads.
    package var width: Int { threads.count }

    /// Runs `body` on the lane and suspends, without holding a thread, until it is done.
    package func run<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let task = Task<Result<Value, Failure>, Never>(executorPreference: self) { @concurrent in
            do throws(Failure) {
                return .success(try body())
            } catch {
                return .failure(error)
            }
        }
        return try await task.value.get()
    }

    /// Called by the runtime for each piece of a task that prefers the lane.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // After shutdown there is no thread left: the caller's thread does the work, so that nobody waits for ever.
        if !queue.append(job, executor: asUnownedTaskExecutor()) {
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }

    /// Lets the threads finish what is queued and waits for their end. Blocks; not for the cooperative pool.
    package func shutdown() {
        queue.close()
        for thread in threads { thread.join() }
    }

    deinit { queue.close() }
}

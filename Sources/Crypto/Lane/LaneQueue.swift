import Glibc

/// Jobs waiting for a thread. A POSIX lock and condition: a thread must be able to sleep.
///
/// Safe because every field is only touched while the lock is held, and the lock itself does not move.
final class LaneQueue: @unchecked Sendable {
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var jobs: [(job: UnownedJob, executor: UnownedTaskExecutor)] = []
    private var head = 0
    private var isClosed = false

    init() {
        pthread_mutex_init(lock, nil)
        pthread_cond_init(changed, nil)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(lock)
        changed.deallocate()
        lock.deallocate()
    }

    /// Adds a job; false when the queue is closed and the job is not taken.
    func append(_ job: UnownedJob, executor: UnownedTaskExecutor) -> Bool {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        guard !isClosed else { return false }
        jobs.append((job, executor))
        pthread_cond_signal(changed)
        return true
    }

    /// Takes no more jobs and wakes every thread.
    func close() {
        pthread_mutex_lock(lock)
        isClosed = true
        pthread_cond_broadcast(changed)
        pthread_mutex_unlock(lock)
    }

    /// Runs jobs until the queue is closed and empty.
    func work() {
        while let next = next() { next.job.runSynchronously(on: next.executor) }
    }

    private func next() -> (job: UnownedJob, executor: UnownedTaskExecutor)? {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        while head == jobs.count {
            if isClosed { return nil }
            pthread_cond_wait(changed, lock)
        }
        let next = jobs[head]
        head += 1
        if head == jobs.count || head >= 1_024 {
            jobs.removeFirst(head)
            head = 0
        }
        return next
    }
}

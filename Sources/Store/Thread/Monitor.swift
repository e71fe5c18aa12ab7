import Glibc

/// A value behind a lock, with a condition to wait for.
///
/// A pthread mutex, not `Synchronization.Mutex`: that one has no condition, and the store thread must sleep.
///
/// Safe because `state` is touched only between lock and unlock of the mutex, which this object owns.
final class Monitor<State: Sendable>: @unchecked Sendable {
    private var state: State
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init(_ state: State) {
        self.state = state
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Runs `body` with the lock. It must be short: callers are tasks of the cooperative pool.
    func withLock<Value>(_ body: (inout State) -> Value) -> Value {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(&state)
    }

    /// Runs `body` with the lock and wakes the thread in ``wait(_:)``.
    func signal<Value>(_ body: (inout State) -> Value) -> Value {
        pthread_mutex_lock(mutex)
        defer {
            pthread_mutex_unlock(mutex)
            pthread_cond_signal(condition)
        }
        return body(&state)
    }

    /// Blocks the thread until `body` gives a value. Only for a thread of our own.
    func wait<Value>(_ body: (inout State) -> Value?) -> Value {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let value = body(&state) { return value }
            pthread_cond_wait(condition, mutex)
        }
    }
}

internal import Glibc

/// A value behind a lock, with a condition to wait for.
///
/// A pthread mutex, not `Synchronization.Mutex`: that one has no condition, and a thread of our own must be able to sleep.
///
/// Safe because `state` is touched only between lock and unlock of the mutex, which this object owns and which does not move.
package final class Monitor<State: Sendable>: @unchecked Sendable {
    private var state: State
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    /// Guards `state`, which is reached through the closures below only.
    package init(_ state: State) {
        self.state = state
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        // A wait ends in time when somebody sets the clock.
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Runs `body` with the lock. It must be short: callers are tasks that hold a thread of the pool or a loop.
    package func withLock<Value>(_ body: (inout State) -> Value) -> Value {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(&state)
    }

    /// Runs `body` with the lock and wakes one thread that waits.
    package func signal<Value>(_ body: (inout State) -> Value) -> Value {
        defer { pthread_cond_signal(condition) }
        return withLock(body)
    }

    /// Runs `body` with the lock and wakes every thread that waits.
    package func broadcast<Value>(_ body: (inout State) -> Value) -> Value {
        defer { pthread_cond_broadcast(condition) }
        return withLock(body)
    }

    /// Blocks the thread until `body`, which is run again whenever somebody woke it, gives a value. Only for a thread of
    /// our own.
    package func wait<Value>(_ body: (inout State) -> Value?) -> Value {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let value = body(&state) { return value }
            pthread_cond_wait(condition, mutex)
        }
    }

    /// The same, but no longer than `seconds`: nil then.
    package func wait<Value>(seconds: Int, _ body: (inout State) -> Value?) -> Value? {
        var end = timespec()
        clock_gettime(CLOCK_MONOTONIC, &end)
        end.tv_sec += seconds
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let value = body(&state) { return value }
            // What was done in the last moment counts.
            if pthread_cond_timedwait(condition, mutex, &end) != 0 { return body(&state) }
        }
    }
}

import Glibc

/// Writes to a descriptor on a thread of its own, so that a pipe that nobody reads blocks nothing else.
///
/// What waits is bounded: beyond that lines are dropped, whole, and counted; the count is written when there is room.
final class LogThread: @unchecked Sendable {
    // Safe because every stored variable is read and written under `lock`.

    private let descriptor: Int32
    private let capacity: Int
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    /// Signalled at each change of what waits.
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var waiting: [UInt8] = []
    private var isWriting = false
    private var dropped = 0

    /// Starts the thread, which lives as long as the process.
    ///
    /// - Parameter capacity: How many bytes may wait.
    init(descriptor: Int32, capacity: Int = 1 << 20) {
        self.descriptor = descriptor
        self.capacity = capacity
        pthread_mutex_init(lock, nil)
        pthread_cond_init(changed, nil)
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self)
        if pthread_create(&thread, nil, logMain, context.toOpaque()) == 0 {
            pthread_detach(thread)
        } else {
            // Nothing will be written; the server can do without its log.
            context.release()
        }
    }

    deinit {
        pthread_cond_destroy(changed)
        changed.deallocate()
        pthread_mutex_destroy(lock)
        lock.deallocate()
    }

    /// Takes one line, or drops it. Never waits for the descriptor.
    func write(_ line: [UInt8]) {
        pthread_mutex_lock(lock)
        if waiting.count + line.count <= capacity { waiting += line } else { dropped += 1 }
        pthread_cond_broadcast(changed)
        pthread_mutex_unlock(lock)
    }

    /// Waits until everything is written, at most `seconds`.
    func flush(seconds: Int) {
        var end = timespec()
        clock_gettime(CLOCK_REALTIME, &end)
        end.tv_sec += seconds
        pthread_mutex_lock(lock)
        while isWriting || !waiting.isEmpty, pthread_cond_timedwait(changed, lock, &end) == 0 {}
        pthread_mutex_unlock(lock)
    }

    /// The thread: writes what waits, without the lock.
    fileprivate func run() -> Never {
        while true {
            ProcessStreams.write(take(), to: descriptor)
            pthread_mutex_lock(lock)
            isWriting = false
            pthread_cond_broadcast(changed)
            pthread_mutex_unlock(lock)
        }
    }

    /// Waits for something to write.
    private func take() -> [UInt8] {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        while waiting.isEmpty { pthread_cond_wait(changed, lock) }
        isWriting = true
        var bytes: [UInt8] = []
        swap(&bytes, &waiting)
        if dropped > 0 {
            bytes += Array("{\"level\":\"warning\",\"message\":\"log lines were dropped\",\"count\":\(dropped)}\n".utf8)
            dropped = 0
        }
        return bytes
    }
}

/// The thread's function; owns the context from here. At file scope, so that it inherits no isolation.
private func logMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<LogThread>.fromOpaque(context).takeRetainedValue().run()
}

internal import CLibevent
internal import Glibc

/// What other threads leave for the loop thread, in order.
enum LoopItem: Sendable {
    /// A job of an actor whose executor is the loop.
    case job(UnownedJob)
    /// A job of a task that prefers the loop.
    case task(UnownedJob)
    #if DEBUG
    /// The same, with the request that it is for.
    case named(UnownedJob, RequestTasks)
    #endif
    /// A closure that is cheaper than a job, because it needs no task.
    case work(@Sendable () -> Void)
}

/// The queue between all other threads and the loop thread, with the descriptor that wakes the loop.
///
/// Any thread may `post`; only the loop thread calls `take` and `woke`. The descriptor and the lock are owned here and
/// freed with the object. One write wakes the loop for a whole batch, and none is made while the loop is awake.
final class LoopMailbox: @unchecked Sendable {
    // Safe because every stored property below is read and written under `lock`, or never changes.

    /// Readable when there is something to take and the loop may be asleep.
    let descriptor: Int32
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private var items: [LoopItem] = []
    private var asleep = false
    private var closed = false

    /// Fails when the process has no descriptor left.
    init() throws(TransportFault) {
        descriptor = shim_eventfd()
        guard descriptor >= 0 else { throw .system(call: "eventfd", number: errno) }
        lock = .allocate(capacity: 1)
        pthread_mutex_init(lock, nil)
        items.reserveCapacity(64)
    }

    deinit {
        close(descriptor)
        pthread_mutex_destroy(lock)
        lock.deallocate()
    }

    /// Adds one item. Returns false when the loop has ended and the item will never run.
    @discardableResult
    func post(_ item: LoopItem) -> Bool {
        pthread_mutex_lock(lock)
        let accepted = !closed
        if accepted { items.append(item) }
        let mustWake = asleep
        asleep = false
        pthread_mutex_unlock(lock)
        if mustWake {
            var one: UInt64 = 1
            _ = write(descriptor, &one, 8)
        }
        return accepted
    }

    /// Swaps what is waiting into `batch`, which must be empty. An empty answer means that the loop is now asleep: the
    /// next `post` writes to the descriptor.
    func take(into batch: inout [LoopItem]) {
        pthread_mutex_lock(lock)
        swap(&items, &batch)
        asleep = batch.isEmpty
        pthread_mutex_unlock(lock)
    }

    /// Refuses all later items; what is still waiting is returned.
    func shut() -> [LoopItem] {
        pthread_mutex_lock(lock)
        closed = true
        let rest = items
        items = []
        pthread_mutex_unlock(lock)
        return rest
    }
}

internal import CLibevent
internal import Glibc
internal import Threads

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
/// Any thread may `post`; only the loop thread calls `take`. The descriptor is owned here and closed with the object. One
/// write wakes the loop for a whole batch, and none is made while the loop is awake.
final class LoopMailbox: Sendable {
    private struct State: Sendable {
        var items: [LoopItem] = []
        var isAsleep = false
        var isClosed = false
    }

    /// Readable when there is something to take and the loop may be asleep.
    let descriptor: Int32
    private let state = Monitor(State())

    /// Fails when the process has no descriptor left.
    init() throws(TransportFault) {
        descriptor = shim_eventfd()
        guard descriptor >= 0 else { throw .system(call: "eventfd", number: errno) }
        state.withLock { state in state.items.reserveCapacity(64) }
    }

    deinit { close(descriptor) }

    /// Adds one item. Returns false when the loop has ended and the item will never run.
    @discardableResult
    func post(_ item: LoopItem) -> Bool {
        let (isAccepted, mustWake) = state.withLock { state in
            if !state.isClosed { state.items.append(item) }
            defer { state.isAsleep = false }
            return (!state.isClosed, state.isAsleep)
        }
        if mustWake {
            var one: UInt64 = 1
            _ = write(descriptor, &one, 8)
        }
        return isAccepted
    }

    /// Swaps what is waiting into `batch`, which must be empty. An empty answer means that the loop is now asleep: the
    /// next `post` writes to the descriptor.
    func take(into batch: inout [LoopItem]) {
        state.withLock { state in
            swap(&state.items, &batch)
            state.isAsleep = batch.isEmpty
        }
    }

    /// Refuses all later items; what is still waiting is returned.
    func shut() -> [LoopItem] {
        state.withLock { state in
            state.isClosed = true
            defer { state.items = [] }
            return state.items
        }
    }
}

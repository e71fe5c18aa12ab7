import Synchronization

/// One tenant's journal behind its own lock, so that tenants do not wait for each other.
final class JournalWorld: Sendable {
    private static let attemptCapacity = 10_000
    /// Attempts that are given up at once: they are small.
    private static let attemptsGivenUp = 64

    /// What a call did to the sums.
    struct Change: Equatable {
        var bytes = 0
        var entries = 0
        var appended = 0
        var dropped = 0
    }

    private struct State {
        var ring: EntryRing
        var attempts = AttemptTable(capacity: attemptCapacity)
        var position = 0
        var watches: [JournalWatch] = []
        /// The tenant is gone; what comes late is not kept.
        var isEnded = false

        var bytes: Int { ring.bytes + attempts.bytes }

        /// Runs `body` and says what it changed.
        mutating func change(_ body: (inout State) -> Void) -> Change {
            let before = (bytes, ring.count, ring.dropped, position)
            body(&self)
            return Change(
                bytes: bytes - before.0,
                entries: ring.count - before.1,
                appended: position - before.3,
                dropped: max(0, ring.dropped - before.2)
            )
        }
    }

    let id: UInt64
    private let capacity: Int
    private let byteLimit: Int
    private let state: Mutex<State>

    init(id: UInt64, capacity: Int, byteLimit: Int) {
        self.id = id
        self.capacity = capacity
        self.byteLimit = byteLimit
        state = Mutex(State(ring: EntryRing(capacity: capacity, byteLimit: byteLimit)))
    }

    /// What is kept, newest first. Taken under the lock, to be looked through outside of it.
    var content: (kept: [EntryRing.Kept], dropped: Int, position: Int) {
        state.withLock { (kept: $0.ring.newestFirst, dropped: $0.ring.dropped, position: $0.position) }
    }

    func attempt(of operation: String, requestID: String) -> (count: Int, change: Change) {
        state.withLock { state in
            var count = 1
            let change = state.change { state in
                if !state.isEnded { count = state.attempts.count(operation, requestID) }
            }
            return (count: count, change: change)
        }
    }

    /// Adds an entry and tells those who watch.
    ///
    /// - Returns: where the entry stands, and what that changed.
    func append(_ entry: JournalEntry) -> (position: Int, change: Change) {
        let size = entry.estimatedSize
        // What the ring lets go is released after the lock: all requests of the tenant share it.
        let (position, change, kept, watches, _) = state.withLock { state in
            let position = state.position
            var entry = entry
            var gone: [EntryRing.Kept] = []
            var kept: EntryRing.Kept?
            let change = state.change { state in
                guard !state.isEnded else { return }
                entry.attempt = entry.attempt ?? state.attempts.count(entry.operation, entry.requestID)
                let new = EntryRing.Kept(entry, size: size)
                kept = new
                gone = state.ring.append(new)
                state.position += 1
            }
            return (position, change, kept, state.watches, gone)
        }
        if let kept { for watch in watches { watch.see(kept.entry) } }
        return (position: position, change: change)
    }

    /// Notes that the client of an entry left; nothing when the entry is no longer kept.
    func noteClientLeft(at position: Int) {
        state.withLock { state in
            state.ring.change(fromNewest: state.position - 1 - position) { $0.clientLeft = true }
        }
    }

    /// A watch that knows each entry once: from what is kept, or from ``append(_:)``.
    func watch(id: UInt64, matching filter: JournalFilter, count: Int, limit: Int) -> JournalWatch? {
        let begun = state.withLock { state -> (watch: JournalWatch, kept: [EntryRing.Kept], isEnded: Bool)? in
            guard state.watches.count < limit else { return nil }
            let start = filter.isFromNow ? state.position : 0
            let watch = JournalWatch(id: id, filter: filter, start: start, wanted: count)
            state.watches.append(watch)
            let kept = filter.isFromNow ? [] : state.ring.newestFirst
            return (watch: watch, kept: kept, isEnded: state.isEnded)
        }
        guard let (watch, kept, isEnded) = begun else { return nil }
        watch.count(kept.count { filter.matches($0.entry) })
        if isEnded { watch.end() }
        return watch
    }

    func close(_ watch: JournalWatch) {
        state.withLock { state in state.watches.removeAll { $0.id == watch.id } }
    }

    /// Lets the oldest entry go, or attempts when those take more room.
    func giveUp() -> Change {
        let (change, _) = state.withLock { state in
            var gone: [EntryRing.Kept] = []
            let change = state.change { state in
                guard state.attempts.bytes > state.ring.bytes else { return state.ring.dropOldest(into: &gone) }
                for _ in 0..<Self.attemptsGivenUp { state.attempts.dropOldest() }
            }
            return (change, gone)
        }
        return change
    }

    /// Empties the journal; who watches is told. A client that tries again is still counted: rules ask which try it is.
    func clear() -> Change { empty(keepsAttempts: true) }

    /// The same with the attempts.
    func restart() -> Change { empty(keepsAttempts: false) }

    /// The same for ever.
    func end() -> Change { empty(keepsAttempts: false, isEnd: true) }

    private func empty(keepsAttempts: Bool, isEnd: Bool = false) -> Change {
        let (change, watches) = state.withLock { state in
            let change = state.change { state in
                state.ring = EntryRing(capacity: capacity, byteLimit: byteLimit)
                if !keepsAttempts { state.attempts = AttemptTable(capacity: Self.attemptCapacity) }
                state.isEnded = state.isEnded || isEnd
            }
            return (change, state.watches)
        }
        for watch in watches { watch.end() }
        return change
    }
}

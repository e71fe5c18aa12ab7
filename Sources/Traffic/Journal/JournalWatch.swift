import Synchronization

/// Somebody who waits for entries that match. The journal tells it of each entry that is added after it began.
package final class JournalWatch: Sendable {
    private struct State {
        var found = 0
        /// The journal was cleared, or its tenant removed: what was found is gone.
        var isEnded = false
        var wake: (@Sendable () -> Void)?
    }

    let id: UInt64
    let filter: JournalFilter
    /// Where in the journal the entries begin that count.
    package let start: Int
    private let wanted: Int
    private let state = Mutex(State())

    init(id: UInt64, filter: JournalFilter, start: Int, wanted: Int) {
        self.id = id
        self.filter = filter
        self.start = start
        self.wanted = wanted
    }

    /// Enough entries matched, kept or pushed out since.
    package var isComplete: Bool { state.withLock { $0.found >= wanted && !$0.isEnded } }

    /// Calls `wake` once, when enough entries matched or the watch ended; at once when that has happened already.
    package func whenDone(_ wake: @escaping @Sendable () -> Void) {
        let isDone = state.withLock { state in
            if state.found >= wanted || state.isEnded { return true }
            state.wake = wake
            return false
        }
        if isDone { wake() }
    }

    /// Takes note of an entry.
    func see(_ entry: JournalEntry) {
        if filter.matches(entry) { count(1) }
    }

    func count(_ more: Int) {
        let wake = state.withLock { state -> (@Sendable () -> Void)? in
            state.found += more
            guard state.found >= wanted else { return nil }
            defer { state.wake = nil }
            return state.wake
        }
        wake?()
    }

    func end() {
        let wake = state.withLock { state -> (@Sendable () -> Void)? in
            state.isEnded = true
            defer { state.wake = nil }
            return state.wake
        }
        wake?()
    }
}

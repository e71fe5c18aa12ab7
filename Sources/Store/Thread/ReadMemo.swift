import Synchronization

/// Where reads have found which records since the last write. It lets a read that asks what was asked before be answered
/// where it is, without waiting for the store thread. That pays when a client polls, which is what most reads are.
///
/// The store thread fills it, and empties it before any write begins, so nothing in it can be outdated.
final class ReadMemo: Sendable {
    /// What was asked for. An id stands under the empty key, which no record has.
    struct Place: Hashable, Sendable {
        private let tenant: String
        private let kind: String
        private let key: String
        private let value: String
        /// Of what tells nearly all places apart, so that no text is hashed under the lock.
        private let digest: Int

        init(tenant: String, kind: String, key: String, value: String) {
            self.tenant = tenant
            self.kind = kind
            self.key = key
            self.value = value
            var hasher = Hasher()
            hasher.combine(value)
            hasher.combine(key)
            hasher.combine(tenant)
            digest = hasher.finalize()
        }

        func hash(into hasher: inout Hasher) { hasher.combine(digest) }
    }

    private static let placeLimit = 4_096
    private static let recordLimit = 32_768

    private struct State {
        /// Counts the times it was emptied.
        var turn: UInt64 = 0
        /// True from the first read after a write to the next write.
        var isOpen = false
        /// Arrays of records.
        var found: [Place: any Sendable] = [:]
        var recordCount = 0

        /// Gives what is no longer needed to whoever releases it after the lock.
        mutating func empty() -> [Place: any Sendable] {
            recordCount = 0
            defer { found = [:] }
            return found
        }
    }

    private let state = Mutex(State())

    /// The turn of a read that begins now; nil while only the store thread can answer.
    var turn: UInt64? { state.withLock { state in state.isOpen ? state.turn : nil } }

    /// A reading transaction is open on the store thread.
    func open() { state.withLock { state in state.isOpen = true } }

    /// A write is about to begin, or the store to close.
    func close() {
        _ = state.withLock { state in
            state.isOpen = false
            state.turn += 1
            return state.empty()
        }
    }

    /// The records at a place; nil when nobody knows, or when `turn` is over. On the store thread nothing can be over.
    func records<R: Sendable>(_ place: Place, turn: UInt64? = nil) -> [R]? {
        let found = state.withLock { state -> (any Sendable)? in
            guard state.isOpen, turn == nil || turn == state.turn else { return nil }
            return state.found[place]
        }
        return found as? [R]
    }

    /// For the store thread: the records that a read has found at a place.
    func keep<R: Sendable>(_ records: [R], _ place: Place) {
        _ = state.withLock { state -> [Place: any Sendable]? in
            guard state.isOpen else { return nil }
            let isFull = state.found.count >= Self.placeLimit || state.recordCount >= Self.recordLimit
            let gone = isFull ? state.empty() : nil
            state.found[place] = records
            state.recordCount += records.count
            return gone
        }
    }
}

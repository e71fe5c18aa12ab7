/// The entries of one tenant, oldest first, bounded by number and by bytes.
struct EntryRing {
    /// An entry behind a reference, so that handing the ring's content out copies no entry.
    final class Kept: Sendable {
        let entry: JournalEntry
        let size: Int

        init(_ entry: JournalEntry) {
            self.entry = entry
            size = entry.estimatedSize
        }
    }

    private let capacity: Int
    private let byteLimit: Int
    private var slots: [Kept?] = []
    private var head = 0
    private(set) var count = 0
    private(set) var bytes = 0
    private(set) var dropped = 0

    init(capacity: Int, byteLimit: Int) {
        self.capacity = max(1, capacity)
        self.byteLimit = byteLimit
    }

    /// Adds an entry and lets the oldest go until the bounds hold. The newest always stays.
    mutating func append(_ kept: Kept) {
        if count == capacity { dropOldest() }
        if count == slots.count { grow() }
        slots[(head + count) % slots.count] = kept
        count += 1
        bytes += kept.size
        while bytes > byteLimit, count > 1 { dropOldest() }
    }

    /// What is kept, newest first.
    var newestFirst: [Kept] {
        var result: [Kept] = []
        result.reserveCapacity(count)
        for offset in (0..<count).reversed() {
            if let kept = slots[(head + offset) % slots.count] { result.append(kept) }
        }
        return result
    }

    /// Lets the oldest go; nothing when there is none.
    mutating func dropOldest() {
        guard count > 0 else { return }
        bytes -= slots[head]?.size ?? 0
        slots[head] = nil
        head = (head + 1) % slots.count
        count -= 1
        dropped += 1
    }

    /// Twice the room, up to the capacity, with the oldest entry in the first place.
    private mutating func grow() {
        var larger = [Kept?](repeating: nil, count: min(capacity, max(16, slots.count * 2)))
        for offset in 0..<count { larger[offset] = slots[(head + offset) % slots.count] }
        slots = larger
        head = 0
    }
}

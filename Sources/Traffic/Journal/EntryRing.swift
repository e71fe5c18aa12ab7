/// The entries of one tenant, oldest first, bounded by number and by bytes.
struct EntryRing {
    /// An entry behind a reference, so that handing the ring's content out copies no entry.
    final class Kept: Sendable {
        let entry: JournalEntry
        let size: Int

        init(_ entry: JournalEntry, size: Int) {
            self.entry = entry
            self.size = size
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
    ///
    /// - Returns: What went. Whoever holds a lock lets it go afterwards: an entry is dozens of allocations.
    mutating func append(_ kept: Kept) -> [Kept] {
        var gone: [Kept] = []
        if count == capacity { dropOldest(into: &gone) }
        if count == slots.count { grow() }
        slots[(head + count) % slots.count] = kept
        count += 1
        bytes += kept.size
        while bytes > byteLimit, count > 1 { dropOldest(into: &gone) }
        return gone
    }

    /// Changes an entry; nothing when there is none so far back. Its size must stay the same.
    mutating func change(fromNewest offset: Int, _ body: (inout JournalEntry) -> Void) {
        guard (0..<count).contains(offset) else { return }
        let slot = (head + count - 1 - offset) % slots.count
        guard let kept = slots[slot] else { return }
        var entry = kept.entry
        body(&entry)
        slots[slot] = Kept(entry, size: kept.size)
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
    mutating func dropOldest(into gone: inout [Kept]) {
        guard count > 0 else { return }
        if let kept = slots[head] {
            bytes -= kept.size
            gone.append(kept)
        }
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

import Core
import Wire

/// Parsed documents by their records' ordinals, so that a document is parsed once and not at each look-up.
///
/// True because the store is the only writer of its file, and because it follows each transaction: what a transaction
/// has read or written is kept apart until the commit and forgotten when anything is undone. Forgetting is always
/// right; the next look-up reads the record again. Used on the store thread.
struct DocumentCache {
    /// Bytes of text in a generation. As a tree a document takes about six times its text.
    private static let generationBytes = 4 << 20

    private var young: [Int64: Entry] = [:]
    private var youngBytes = 0
    /// The generation before: what is used again becomes young, the rest goes with the next change of generations.
    private var old: [Int64: Entry] = [:]
    /// As the open transaction sees them.
    private var pending: [Int64: Entry] = [:]

    /// One document: as it was parsed, or as the record that was made of it. Not both, which would take twice the room.
    final class Entry {
        fileprivate(set) var document: JSON?
        /// What the document says, once it was asked for as a record.
        var record: (any Record)? {
            didSet { document = nil }
        }
        fileprivate let bytes: Int

        fileprivate init(_ document: JSON, bytes: Int) {
            self.document = document
            self.bytes = bytes
        }
    }

    /// The document of a record, if it is here.
    mutating func entry(_ ordinal: Int64) -> Entry? {
        if let entry = pending[ordinal] ?? young[ordinal] { return entry }
        guard let entry = old.removeValue(forKey: ordinal) else { return nil }
        add(entry, ordinal)
        return entry
    }

    /// The open transaction has read a record, or written it; `bytes` is the length of its text.
    mutating func set(_ ordinal: Int64, _ document: JSON, bytes: Int) {
        young[ordinal] = nil
        old[ordinal] = nil
        pending[ordinal] = Entry(document, bytes: bytes)
    }

    /// The open transaction has removed a record. Its ordinal may be given to another.
    mutating func remove(_ ordinal: Int64) {
        young[ordinal] = nil
        old[ordinal] = nil
        pending[ordinal] = nil
    }

    /// Something that the open transaction did was undone.
    mutating func undo() {
        if !pending.isEmpty { pending.removeAll(keepingCapacity: true) }
    }

    /// The transaction has been committed.
    mutating func commit() {
        if pending.isEmpty { return }
        for (ordinal, entry) in pending { add(entry, ordinal) }
        pending.removeAll(keepingCapacity: true)
    }

    private mutating func add(_ entry: Entry, _ ordinal: Int64) {
        if youngBytes > Self.generationBytes {
            old = young
            young = [:]
            youngBytes = 0
        }
        // A replaced or removed entry is still counted: the generation only ends a little earlier.
        youngBytes += entry.bytes
        young[ordinal] = entry
    }
}

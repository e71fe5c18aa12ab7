import Synchronization

/// Texts that were searched not long ago and hold nothing to mask.
///
/// A client that waits for something asks again and again and is given the same answer, which the search would go through
/// each time. What is kept here may be shown anyway: a text with a secret never comes in.
final class CleanTexts: Sendable {
    /// For all of the process.
    static let shared = CleanTexts()

    /// Shorter ones are searched as fast as they are found; longer ones would take much memory.
    private static let lengths = 64...4_096
    private static let places = 256

    private let texts = Mutex([String](repeating: "", count: places))

    /// The same text as it was kept, so that equal ones share their memory; nil when it is not known.
    func known(_ text: String) -> String? {
        guard let place = CleanTexts.place(of: text) else { return nil }
        let kept = texts.withLock { $0[place] }
        return kept == text ? kept : nil
    }

    /// Keeps a text in the place of another.
    func keep(_ text: String) {
        guard let place = CleanTexts.place(of: text) else { return }
        texts.withLock { $0[place] = text }
    }

    /// Nil for a text that is not kept. Beyond ASCII two texts can be equal and have different bytes.
    private static func place(of text: String) -> Int? {
        let span = text.utf8Span
        guard lengths.contains(span.count), span.isKnownASCII else { return nil }
        return Int(UInt(bitPattern: text.hashValue) % UInt(places))
    }
}

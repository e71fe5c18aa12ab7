internal import Glibc
internal import Web

/// Reads request line and header fields by the letter of RFC 9112 and remembers where they are.
///
/// It is the stricter half of the framing: http-parser tolerates bare line feeds, folded lines, spaces before the colon
/// and more, so every head passes here first. A value of one connection; bytes may come in any pieces.
struct HeadScanner {
    /// Where one header field lies in `bytes`.
    struct Field {
        let name: Range<Int>
        let value: Range<Int>
    }

    /// How far the head is.
    enum Progress {
        case incomplete
        /// The head ended; this many bytes of the last piece come after it.
        case complete(unused: Int)
    }

    /// The bytes of the head.
    private(set) var bytes: [UInt8] = []
    /// The header fields in order.
    private(set) var fields: [Field] = []
    /// The request line's parts; nil until it is read.
    private(set) var line: RequestLine?
    private var lineStart = 0
    private var scanned = 0
    private let headerBytes: Int
    private let targetBytes: Int

    /// At the start of a request.
    init(limits: Limits) {
        headerBytes = limits.headerBytes
        targetBytes = limits.targetBytes
    }

    /// Whether no byte of a request has come.
    var isEmpty: Bool { bytes.isEmpty }

    /// Whether a byte of a request line has come; empty lines before it do not count.
    var hasBegun: Bool { line != nil || lineStart < bytes.count }

    /// Whether the method is HEAD, also of a request line that was refused further on: the answer to HEAD has no content
    /// whatever it says (RFC 9110, section 9.3.2).
    var asksForHead: Bool {
        let lineEnds = [Characters.carriageReturn, Characters.lineFeed]
        return bytes.drop { lineEnds.contains($0) }.starts(with: "HEAD ".utf8)
    }

    /// Ready for the next request; keeps a small buffer.
    mutating func reset() {
        if bytes.capacity > 4_096 { bytes = [] } else { bytes.removeAll(keepingCapacity: true) }
        if fields.capacity > 64 { fields = [] } else { fields.removeAll(keepingCapacity: true) }
        line = nil
        lineStart = 0
        scanned = 0
    }

    /// Takes the next piece. After `.complete`, `bytes` holds the head and nothing else.
    mutating func append(_ piece: UnsafeRawBufferPointer) throws(RequestFault) -> Progress {
        if bytes.capacity == 0 { bytes.reserveCapacity(1_024) }
        bytes.append(contentsOf: piece)
        let all = bytes
        while let end = Self.lineFeed(in: all, from: scanned) {
            guard end > lineStart, all[end - 1] == Characters.carriageReturn else {
                throw RequestFault(.framing, "a line ends without a carriage return")
            }
            let text = lineStart..<(end - 1)
            lineStart = end + 1
            scanned = lineStart
            if text.isEmpty {
                // Empty lines before the request line are skipped (RFC 9112, section 2.2).
                if line == nil { continue }
                try checkSize(lineStart)
                if lineStart < all.count { bytes.removeLast(all.count - lineStart) }
                return .complete(unused: all.count - lineStart)
            }
            if line == nil {
                line = try RequestLine(all, text, targetBytes: targetBytes)
            } else {
                fields.append(try Self.field(all, text))
            }
        }
        scanned = all.count
        try checkSize(all.count)
        return .incomplete
    }

    /// Refuses a head that grows too large, also one whose line never ends.
    private func checkSize(_ count: Int) throws(RequestFault) {
        if let line {
            guard count - line.target.count > headerBytes else { return }
            throw RequestFault(.headersTooLarge, "the header fields are larger than \(headerBytes) bytes")
        }
        guard count > targetBytes + 64 else { return }
        let method = bytes[lineStart...].prefix { Characters.isToken($0) }
        guard !method.isEmpty, method.endIndex < bytes.endIndex, bytes[method.endIndex] == Characters.space else {
            throw RequestFault(.framing, "the request line does not end")
        }
        throw RequestFault(.targetTooLong, "the request target is longer than \(targetBytes) bytes")
    }

    private static func lineFeed(in bytes: [UInt8], from start: Int) -> Int? {
        bytes.withUnsafeBytes { buffer in
            guard start < buffer.count, let base = buffer.baseAddress,
                let found = memchr(base + start, Int32(Characters.lineFeed), buffer.count - start)
            else { return nil }
            return UnsafeRawPointer(found) - base
        }
    }

    /// One header line.
    private static func field(_ bytes: [UInt8], _ text: Range<Int>) throws(RequestFault) -> Field {
        if Characters.isBlank(bytes[text.lowerBound]) {
            throw RequestFault(.framing, "a header line is folded (RFC 9112, section 5.2)")
        }
        var colon = text.lowerBound
        while colon < text.upperBound, Characters.isToken(bytes[colon]) { colon += 1 }
        guard colon < text.upperBound, bytes[colon] == Characters.colon, colon > text.lowerBound else {
            let isSpace = colon < text.upperBound && Characters.isBlank(bytes[colon])
            throw RequestFault(
                .framing,
                isSpace ? "white space in a header name or before its colon" : "a header line without a valid name"
            )
        }
        var start = colon + 1
        var end = text.upperBound
        while start < end, Characters.isBlank(bytes[start]) { start += 1 }
        while end > start, Characters.isBlank(bytes[end - 1]) { end -= 1 }
        for index in start..<end where !Characters.isValue(bytes[index]) {
            throw RequestFault(.framing, "a control character in a header value")
        }
        return Field(name: text.lowerBound..<colon, value: start..<end)
    }
}

/// Finds sensitive values in XML elements and in the parts of a multipart form. No operation takes either; a client that
/// sends them all the same sends what it would have sent as JSON.
enum MarkupSearch {
    static func edits(in bytes: [UInt8]) -> MaskingEdits {
        var edits = MaskingEdits()
        let span = bytes.span
        var index = 0
        while index < span.count {
            let byte = span[index]
            if byte == 0x3C || byte == 0x22, let found = value(in: bytes, at: index),
                let text = SensitiveName.replacement(for: bytes[found.range], found.treatment)
            {
                edits.replace(found.range, with: text)
                // Nothing is looked for inside a value, so that no byte is read for each of many names.
                index = found.range.upperBound
            } else {
                index &+= 1
            }
        }
        return edits
    }

    private static func value(
        in bytes: [UInt8],
        at index: Int
    ) -> (treatment: SensitiveName.Treatment, range: Range<Int>)? {
        if bytes[index] == 0x22 { return part(bytes, at: index) }
        guard let element = element(bytes.span, at: index), let content = content(of: bytes, after: element.end) else {
            return nil
        }
        // `<signature>` alone is what stands in a JWT for the one that was taken out.
        if isMark(bytes, index), !closes(bytes, at: content.upperBound) { return nil }
        return (treatment: element.treatment, range: content)
    }

    /// Of a one-time or security code, with the line ends behind it.
    private static let longestCode = 16
    /// Of a tag's attributes.
    private static let longestTag = 1_024

    private static let mark = Array("<signature>".utf8)

    private static func isMark(_ bytes: [UInt8], _ start: Int) -> Bool { bytes[start...].starts(with: mark) }

    /// Whether an end tag stands there.
    private static func closes(_ bytes: [UInt8], at start: Int) -> Bool {
        bytes[start...].drop { $0 <= 0x20 }.starts(with: [0x3C, 0x2F])
    }

    /// The name in the tag that opens at `start`, a prefix aside, and where the name ends.
    static func element(_ bytes: Span<UInt8>, at start: Int) -> (treatment: SensitiveName.Treatment, end: Int)? {
        if let name = named(bytes, start + 1) { return name }
        var colon = start + 1
        while colon < bytes.count, colon - start <= 32,
            bytes[colon].isLetter || bytes[colon].isDigit || bytes[colon] == 0x2D
        {
            colon += 1
        }
        guard colon > start + 1, colon < bytes.count, bytes[colon] == 0x3A else { return nil }
        return named(bytes, colon + 1)
    }

    private static func named(_ bytes: Span<UInt8>, _ start: Int) -> (treatment: SensitiveName.Treatment, end: Int)? {
        guard let name = SensitiveName.match(bytes, at: start), name.treatment != .keyPart, name.treatment != .keyType
        else { return nil }
        let end = start + name.length
        guard end < bytes.count, bytes[end] == 0x3E || bytes[end] <= 0x20 else { return nil }
        return (treatment: name.treatment, end: end)
    }

    /// What stands between the tag and the next one, space at its ends aside; CDATA belongs to it.
    private static func content(of bytes: [UInt8], after name: Int) -> Range<Int>? {
        let tag = bytes[name..<min(bytes.count, name + longestTag)]
        guard let close = tag.firstIndex(of: 0x3E), bytes[close - 1] != 0x2F else { return nil }
        var start = close + 1
        var end = bytes[start...].firstIndex(of: 0x3C) ?? bytes.count
        if end + 1 < bytes.count, bytes[end + 1] == 0x21 {
            end = bytes[(end + 1)...].firstIndex(of: 0x3E).map { $0 + 1 } ?? bytes.count
        }
        while start < end, bytes[start] <= 0x20 { start += 1 }
        while end > start, bytes[end - 1] <= 0x20 { end -= 1 }
        return start < end ? start..<end : nil
    }

    /// `name="cvv"` of a Content-Disposition (RFC 7578), the rest of the part's head, and its value up to the next
    /// boundary.
    private static func part(
        _ bytes: [UInt8],
        at quote: Int
    ) -> (treatment: SensitiveName.Treatment, range: Range<Int>)? {
        let before = Array("name=".utf8)
        guard quote >= before.count, bytes[quote - before.count..<quote].elementsEqual(before),
            let name = SensitiveName.match(bytes.span, at: quote + 1), name.treatment != .keyPart,
            name.treatment != .keyType
        else { return nil }
        // An empty line ends the head.
        var index = quote + 1 + name.length
        let limit = min(bytes.count, index + 512)
        var lineEnds = 0
        while index < limit, lineEnds < 2 {
            if bytes[index] == 0x0A { lineEnds += 1 } else if bytes[index] != 0x0D { lineEnds = 0 }
            index += 1
        }
        guard lineEnds == 2 else { return nil }
        // A code is short. What is longer is not one, and is looked through once only.
        let last = name.treatment == .shortCode ? min(bytes.count, index + longestCode) : bytes.count
        var end = index
        while end < last,
            !(bytes[end] == 0x2D && end + 1 < bytes.count && bytes[end + 1] == 0x2D && bytes[end - 1] == 0x0A)
        {
            end += 1
        }
        guard end < last || last == bytes.count else { return nil }
        while end > index, bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D { end -= 1 }
        return (treatment: name.treatment, range: index..<end)
    }
}

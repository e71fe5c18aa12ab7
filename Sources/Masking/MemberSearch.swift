/// Finds members of JSON objects by name, in whole documents, in pieces of them and in JSON inside JSON strings.
///
/// It reads no grammar: a name between quotes, a colon, a value. So a document that is cut or broken hides nothing.
struct MemberSearch {
    private let bytes: [UInt8]
    private var edits = MaskingEdits()
    /// The objects that are open, and for each whether it has a `kty`.
    private var objects: [Int] = [0]
    private var isKey: [Bool] = [false]
    private var keyParts: [(object: Int, range: Range<Int>, replacement: String)] = []

    /// The values of sensitive members, replaced.
    static func edits(in bytes: [UInt8]) -> MaskingEdits {
        var search = MemberSearch(bytes)
        search.run()
        for part in search.keyParts where search.isKey[part.object] {
            search.edits.replace(part.range, with: part.replacement)
        }
        return search.edits
    }

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    private mutating func run() {
        var index = 0
        var backslashes = 0
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case 0x22:
                if let end = member(at: index, level: backslashes) { index = end - 1 }
            case 0x7B:
                objects.append(isKey.count)
                isKey.append(false)
            case 0x7D: if objects.count > 1 { objects.removeLast() }
            default: break
            }
            backslashes = byte == 0x5C ? backslashes + 1 : 0
            index += 1
        }
    }

    /// Looks at a quote that may open a name. `level` backslashes stand before it, as before every quote of the same
    /// string. Gives the end of the value when that was replaced.
    private mutating func member(at quote: Int, level: Int) -> Int? {
        guard let name = SensitiveName.match(bytes.span, at: quote + 1) else { return nil }
        var index = quote + 1 + name.length
        guard takeQuote(&index, level) else { return nil }
        skipSpace(&index)
        guard index < bytes.count, bytes[index] == 0x3A else { return nil }
        index += 1
        skipSpace(&index)
        guard index < bytes.count else { return nil }
        if name.treatment == .keyType {
            isKey[objects[objects.count - 1]] = true
            return nil
        }
        let start = index
        if takeQuote(&index, level) {
            let end = stringEnd(from: index, level)
            return note(index..<end, name.treatment, SensitiveName.replacement(for: bytes[index..<end], name.treatment))
        }
        guard name.treatment != .shortCode, name.treatment != .keyPart else { return nil }
        let end = bytes[start] == 0x7B || bytes[start] == 0x5B ? bracketEnd(from: start, level) : wordEnd(from: start)
        let value = bytes[start..<end]
        guard !value.isEmpty, !value.elementsEqual("null".utf8),
            let replacement = SensitiveName.replacement(for: value, name.treatment)
        else { return nil }
        // Quotes, so that the document stays readable.
        let mark = String(repeating: "\\", count: level) + "\""
        return note(start..<end, name.treatment, mark + replacement + mark)
    }

    private mutating func note(
        _ range: Range<Int>,
        _ treatment: SensitiveName.Treatment,
        _ replacement: String?
    ) -> Int? {
        guard let replacement else { return nil }
        if treatment == .keyPart {
            keyParts.append((object: objects[objects.count - 1], range: range, replacement: replacement))
            return nil
        }
        edits.replace(range, with: replacement)
        return range.upperBound
    }

    private func takeQuote(_ index: inout Int, _ level: Int) -> Bool {
        guard index + level < bytes.count, bytes[index + level] == 0x22,
            bytes[index..<index + level].allSatisfy({ $0 == 0x5C })
        else { return false }
        index += level + 1
        return true
    }

    private func skipSpace(_ index: inout Int) {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x0A, 0x0D, 0x09: index += 1
            // A line end inside a string, as `\n`.
            case 0x5C where index + 1 < bytes.count && [0x6E, 0x72, 0x74].contains(bytes[index + 1]): index += 2
            default: return
            }
        }
    }

    /// Where the string's closing quote, or the backslashes before it, begins. At a level of n backslashes, what
    /// stands more before a quote of the string must be whole pairs of the level's own backslash.
    private func stringEnd(from start: Int, _ level: Int) -> Int {
        var index = start
        var backslashes = 0
        while index < bytes.count {
            if bytes[index] == 0x22, backslashes >= level, (backslashes - level) % (2 * (level + 1)) == 0 {
                return index - level
            }
            // An outer string ends here, so this one does too.
            if bytes[index] == 0x22, backslashes < level { return index - backslashes }
            backslashes = bytes[index] == 0x5C ? backslashes + 1 : 0
            index += 1
        }
        return index
    }

    /// The end of a number or word.
    private func wordEnd(from start: Int) -> Int {
        var end = start
        while end < bytes.count, bytes[end].isLetter || bytes[end].isDigit || [0x2B, 0x2D, 0x2E].contains(bytes[end]) {
            end += 1
        }
        return end
    }

    /// The end of an object or array: the bracket that closes it, or the end of the text.
    private func bracketEnd(from start: Int, _ level: Int) -> Int {
        var depth = 0
        var backslashes = 0
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case 0x7B, 0x5B: depth += 1
            case 0x7D, 0x5D:
                depth -= 1
                if depth == 0 { return index + 1 }
            case 0x22 where backslashes == level:
                index = stringEnd(from: index + 1, level) + level
            // The end of the string around it.
            case 0x22 where backslashes < level: return index - backslashes
            default: break
            }
            backslashes = byte == 0x5C ? backslashes + 1 : 0
            index += 1
        }
        return bytes.count
    }
}

extension JSON {
    /// Levels of nesting that are read (CONTRACT, section 8).
    package static let maximumDepth = 64

    /// Reads one JSON document, strictly.
    ///
    /// Refused, each with its own reason: duplicate members, trailing commas, a byte order mark, bytes after the
    /// document, invalid UTF-8, lone surrogates, numbers beyond 2^53, more than `maximumDepth` levels.
    ///
    /// - Parameter integers: how large numbers may be; ``IntegerRange/any`` is for what the sandbox wrote itself.
    package static func parse(
        _ bytes: [UInt8],
        maximumDepth: Int = JSON.maximumDepth,
        integers: IntegerRange = .exact
    ) throws(JSONFault) -> JSON {
        var parser = JSONParser(bytes: bytes, maximumDepth: maximumDepth, integers: integers)
        return try parser.document()
    }

    package static func parse(_ text: String) throws(JSONFault) -> JSON { try parse(Array(text.utf8)) }

    /// How large the numbers of a document may be.
    package enum IntegerRange: Sendable {
        /// Up to 2^53, the largest that every JSON reader keeps exactly (RFC 7493, section 2.2).
        case exact
        /// As many digits as there are: a number that was counted beyond 2^53 must not make its document unreadable.
        case any
    }
}

struct JSONParser {
    private let bytes: [UInt8]
    private let maximumDepth: Int
    private let integers: JSON.IntegerRange
    private var index = 0
    private var path: [PathStep] = []

    /// Of UTF-8, and of UTF-16 in both orders.
    private static let byteOrderMarks: [[UInt8]] = [[0xEF, 0xBB, 0xBF], [0xFE, 0xFF], [0xFF, 0xFE]]

    private enum PathStep {
        case key(String)
        case index(Int)
    }

    init(bytes: [UInt8], maximumDepth: Int, integers: JSON.IntegerRange) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
        self.integers = integers
    }

    mutating func document() throws(JSONFault) -> JSON {
        if Self.byteOrderMarks.contains(where: { bytes.starts(with: $0) }) { throw fault(.byteOrderMark) }
        skipSpace()
        if index == bytes.count { throw fault(.empty) }
        let value = try value(depth: 0)
        skipSpace()
        if index < bytes.count { throw fault(.trailingBytes) }
        return value
    }

    private mutating func value(depth: Int) throws(JSONFault) -> JSON {
        guard index < bytes.count else { throw fault(.truncated) }
        switch bytes[index] {
        case UInt8(ascii: "{"): return try object(depth: depth + 1)
        case UInt8(ascii: "["): return try array(depth: depth + 1)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        case UInt8(ascii: "-"), 0x30...0x39: return .number(try number())
        case UInt8(ascii: "+"), UInt8(ascii: "."): throw fault(.numberFormat)
        default: throw fault(.syntax)
        }
    }

    private mutating func object(depth: Int) throws(JSONFault) -> JSON {
        if depth > maximumDepth { throw fault(.depth) }
        index += 1
        var members = JSONMembers()
        skipSpace()
        if take("}") { return .object(members.object) }
        while true {
            guard index < bytes.count else { throw fault(.truncated) }
            guard bytes[index] == UInt8(ascii: "\"") else { throw fault(.syntax) }
            let start = index
            let key = try string()
            path.append(.key(key))
            if !members.isNew(key) { throw fault(.duplicateKey, at: start) }
            skipSpace()
            if !take(":") { throw fault(index < bytes.count ? .syntax : .truncated) }
            skipSpace()
            members.append(key, try value(depth: depth))
            path.removeLast()
            skipSpace()
            if take("}") { return .object(members.object) }
            try comma(before: "}")
        }
    }

    private mutating func array(depth: Int) throws(JSONFault) -> JSON {
        if depth > maximumDepth { throw fault(.depth) }
        index += 1
        var items: [JSON] = []
        skipSpace()
        if take("]") { return .array(items) }
        while true {
            path.append(.index(items.count))
            items.append(try value(depth: depth))
            path.removeLast()
            skipSpace()
            if take("]") { return .array(items) }
            try comma(before: "]")
        }
    }

    private mutating func comma(before closing: Unicode.Scalar) throws(JSONFault) {
        let position = index
        guard take(",") else { throw fault(index < bytes.count ? .syntax : .truncated) }
        skipSpace()
        if index < bytes.count, bytes[index] == UInt8(ascii: closing) { throw fault(.trailingComma, at: position) }
    }

    private mutating func literal(_ word: StaticString, _ value: JSON) throws(JSONFault) -> JSON {
        let text = Array(word.description.utf8)
        for offset in text.indices {
            guard index + offset < bytes.count else { throw fault(.truncated, at: bytes.count) }
            guard bytes[index + offset] == text[offset] else { throw fault(.syntax, at: index + offset) }
        }
        index += text.count
        return value
    }

    private mutating func number() throws(JSONFault) -> String {
        let start = index
        var isInteger = true
        _ = take("-")
        guard let first = current, isDigit(first) else { throw fault(.numberFormat, at: start) }
        index += 1
        if first == 0x30 {
            if let next = current, isDigit(next) { throw fault(.numberFormat, at: start) }
        } else {
            skipDigits()
        }
        if take(".") {
            isInteger = false
            guard let next = current, isDigit(next) else { throw fault(.numberFormat, at: start) }
            skipDigits()
        }
        if take("e") || take("E") {
            isInteger = false
            if !take("+") { _ = take("-") }
            guard let next = current, isDigit(next) else { throw fault(.numberFormat, at: start) }
            skipDigits()
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        if isInteger {
            if integers == .any { return text }
            guard let value = Int64(text), value.magnitude <= 1 << 53 else { throw fault(.numberRange, at: start) }
        } else {
            guard let value = Double(text), value.isFinite else { throw fault(.numberRange, at: start) }
            // Rounding makes 2^53 of its neighbours, so with a fraction or an exponent 2^53 itself is beyond.
            if integers == .exact, value.magnitude >= 0x1p53 { throw fault(.numberRange, at: start) }
        }
        return text
    }

    private mutating func string() throws(JSONFault) -> String {
        index += 1
        let start = index
        // Most strings have no escape and are taken as one slice.
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") {
                let text = try text(bytes[start..<index], sent: bytes[start..<index])
                index += 1
                return text
            }
            if byte == UInt8(ascii: "\\") { return try escapedString(from: start) }
            if byte < 0x20 { throw fault(.controlCharacter) }
            index += 1
        }
        throw fault(.truncated)
    }

    private mutating func escapedString(from start: Int) throws(JSONFault) -> String {
        var content = Array(bytes[start..<index])
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") {
                let text = try text(content[...], sent: bytes[start..<index])
                index += 1
                return text
            }
            if byte < 0x20 { throw fault(.controlCharacter) }
            index += 1
            if byte == UInt8(ascii: "\\") {
                content.append(contentsOf: try escape())
            } else {
                content.append(byte)
            }
        }
        throw fault(.truncated)
    }

    private mutating func escape() throws(JSONFault) -> [UInt8] {
        guard let character = current else { throw fault(.truncated) }
        index += 1
        switch character {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [character]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"): return try unicodeEscape()
        default: throw fault(.invalidEscape, at: index - 2)
        }
    }

    private mutating func unicodeEscape() throws(JSONFault) -> [UInt8] {
        let start = index - 2
        let first = try hexUnit()
        var value = UInt32(first)
        if (0xD800...0xDBFF).contains(first) {
            guard take("\\"), take("u") else { throw fault(.loneSurrogate, at: start) }
            let second = try hexUnit()
            guard (0xDC00...0xDFFF).contains(second) else { throw fault(.loneSurrogate, at: start) }
            value = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(value) else { throw fault(.loneSurrogate, at: start) }
        return Array(String(Character(scalar)).utf8)
    }

    private mutating func hexUnit() throws(JSONFault) -> UInt16 {
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = current else { throw fault(.truncated) }
            let digit: UInt8
            switch byte {
            case 0x30...0x39: digit = byte - 0x30
            case 0x41...0x46: digit = byte - 0x41 + 10
            case 0x61...0x66: digit = byte - 0x61 + 10
            default: throw fault(.invalidEscape)
            }
            value = value << 4 | UInt16(digit)
            index += 1
        }
        return value
    }

    /// - Parameter sent: the string as it was sent. An escape never stands inside a character, so what is not UTF-8 is
    ///   found there too, at its own offset.
    private func text(_ content: ArraySlice<UInt8>, sent: ArraySlice<UInt8>) throws(JSONFault) -> String {
        if let text = String(validating: content, as: UTF8.self) { return text }
        var parser = UTF8.ForwardParser()
        var rest = sent.makeIterator()
        var offset = sent.startIndex
        while case .valid(let character) = parser.parseScalar(from: &rest) { offset += character.count }
        throw fault(.invalidUTF8, at: offset)
    }

    private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private mutating func skipDigits() {
        while let byte = current, isDigit(byte) { index += 1 }
    }

    private mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    private func fault(_ reason: JSONFault.Reason, at offset: Int? = nil) -> JSONFault {
        JSONFault(reason: reason, offset: offset ?? index, pointer: pointer)
    }

    private var pointer: String {
        path.map { step in
            switch step {
            case .key(let key): "/" + JSONPointer.escape(key)
            case .index(let index): "/\(index)"
            }
        }.joined()
    }
}

/// The members of an object while it is read.
private struct JSONMembers {
    /// Up to here a walk finds a repeated name faster than a set does; most objects have fewer members.
    private static let walked = 16

    private(set) var object = JSONObject()
    private var names: Set<[UInt8]> = []

    /// Names are compared by their bytes, as RFC 8259, section 8.3, says.
    func isNew(_ name: String) -> Bool {
        object.members.count < Self.walked
            ? !object.members.contains { $0.key.utf8.elementsEqual(name.utf8) } : !names.contains(Array(name.utf8))
    }

    mutating func append(_ name: String, _ value: JSON) {
        object.append(name, value)
        if object.members.count == Self.walked {
            names = Set(object.members.map { Array($0.key.utf8) })
        } else if object.members.count > Self.walked {
            names.insert(Array(name.utf8))
        }
    }
}

/// JSON pointers (RFC 6901).
package enum JSONPointer {
    /// `~` becomes `~0` and `/` becomes `~1`.
    package static func escape(_ key: String) -> String {
        guard key.utf8.contains(where: { $0 == 0x7E || $0 == 0x2F }) else { return key }
        // By scalars: a slash under a combining mark is a slash.
        return key.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "~": text += "~0"
            case "/": text += "~1"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }

    /// The name of the member that a pointer begins with; nil for the document as a whole.
    static func first(_ pointer: String) -> String? {
        guard !pointer.isEmpty else { return nil }
        let step = pointer.unicodeScalars.dropFirst().prefix { $0 != "/" }
        return String(String.UnicodeScalarView(step)).replacing("~1", with: "/").replacing("~0", with: "~")
    }
}

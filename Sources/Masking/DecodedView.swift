/// A text with its escapes undone, and the place in the original of each of its bytes.
///
/// Escapes that stand for something outside ASCII become one byte that is neither a letter nor a digit: the view is only
/// searched, never shown.
struct DecodedView {
    private(set) var bytes: [UInt8]
    /// Offset in the original of each byte, and one more for the end; nil when nothing was decoded.
    private var starts: [Int]?

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isDecoded: Bool { starts != nil }

    /// The bytes of the original that `range` stands for.
    func sourceRange(of range: Range<Int>) -> Range<Int> {
        guard let starts else { return range }
        return starts[range.lowerBound]..<starts[range.upperBound]
    }

    /// Undoes percent-encoding, `%2534` and deeper included.
    func decodingPercent() -> DecodedView {
        guard bytes.contains(0x25) else { return self }
        return rewritten { bytes, index in
            guard bytes[index] == 0x25 else { return nil }
            var digits = index + 1
            while digits + 3 < bytes.count, bytes[digits] == 0x32, bytes[digits + 1] == 0x35,
                bytes[digits + 2].hexValue != nil, bytes[digits + 3].hexValue != nil
            {
                digits += 2
            }
            guard digits + 1 < bytes.count, let high = bytes[digits].hexValue, let low = bytes[digits + 1].hexValue
            else { return nil }
            return (byte: high << 4 | low, length: digits + 2 - index)
        }
    }

    /// Undoes the escapes of JSON strings at any depth: any number of backslashes before the letter.
    func decodingBackslashes() -> DecodedView {
        guard bytes.contains(0x5C) else { return self }
        return rewritten { bytes, index in
            guard bytes[index] == 0x5C else { return nil }
            var letter = index
            while letter < bytes.count, bytes[letter] == 0x5C { letter += 1 }
            let length = letter + 1 - index
            guard letter < bytes.count else { return (byte: 0x5C, length: length - 1) }
            switch bytes[letter] {
            case 0x22, 0x2F: return (byte: bytes[letter], length: length)
            // \b \f \n \r \t: something that is neither a letter nor a separator.
            case 0x62, 0x66, 0x6E, 0x72, 0x74: return (byte: 0x0A, length: length)
            case 0x75:
                guard letter + 4 < bytes.count else { return (byte: 0x5C, length: length - 1) }
                var value = 0
                for digit in bytes[letter + 1...letter + 4] {
                    guard let digit = digit.hexValue else { return (byte: 0x5C, length: length - 1) }
                    value = value << 4 | Int(digit)
                }
                return (byte: value < 0x80 ? UInt8(value) : 0xFF, length: length + 4)
            default: return (byte: 0x5C, length: length - 1)
            }
        }
    }

    /// Each place where `decode` knows an escape becomes one byte.
    private func rewritten(_ decode: ([UInt8], Int) -> (byte: UInt8, length: Int)?) -> DecodedView {
        var output: [UInt8] = []
        var places: [Int] = []
        output.reserveCapacity(bytes.count)
        places.reserveCapacity(bytes.count + 1)
        var index = 0
        while index < bytes.count {
            let escape = decode(bytes, index)
            output.append(escape?.byte ?? bytes[index])
            places.append(starts?[index] ?? index)
            index += escape?.length ?? 1
        }
        places.append(starts?[bytes.count] ?? bytes.count)
        var view = DecodedView(output)
        view.starts = places
        return view
    }
}

extension UInt8 {
    /// The value of a hexadecimal digit.
    var hexValue: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x41...0x46: self - 0x41 + 10
        case 0x61...0x66: self - 0x61 + 10
        default: nil
        }
    }

    var isDigit: Bool { self &- 0x30 < 10 }

    /// An ASCII letter.
    var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }
}

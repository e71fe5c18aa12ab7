/// Reading of base64 and hexadecimal that guesses: either alphabet, any beginning, no word about mistakes.
///
/// The strict readers are in Wire; these here look for what may be hidden in a run of characters.
enum EncodedText {
    private static let notBase64: UInt8 = 0xFF

    /// The value of each character of both base64 alphabets.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: notBase64, count: 256)
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        for (value, character) in alphabet.utf8.enumerated() { values[Int(character)] = UInt8(value) }
        values[0x2D] = 62
        values[0x5F] = 63
        return values
    }()

    /// The shortest run that is looked into.
    static let shortestRun = 16

    /// A character of base64 or base64url, padding aside.
    static func isBase64(_ byte: UInt8) -> Bool { values[Int(byte)] != notBase64 }

    /// Where the next run begins, at `start` or behind it; the end of the text when there is none.
    static func nextRun(_ bytes: Span<UInt8>, from start: Int) -> Int {
        let values = values.span
        var index = start
        while index < bytes.count, values[Int(bytes[index])] == notBase64 { index &+= 1 }
        return index
    }

    /// The end of the run that begins at `start`.
    static func runEnd(_ bytes: Span<UInt8>, from start: Int) -> Int {
        let values = values.span
        var index = start
        while index < bytes.count, values[Int(bytes[index])] != notBase64 { index &+= 1 }
        return index
    }

    /// The whole bytes that the characters stand for; unused bits are dropped.
    static func base64(_ run: Span<UInt8>) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: run.count / 4 * 3 + 2)
        var output = bytes.mutableSpan
        let values = values.span
        var (from, to) = (0, 0)
        // Whole groups, up to the first character that is not one of the alphabet.
        while from &+ 3 < run.count {
            let (first, second) = (values[Int(run[from])], values[Int(run[from &+ 1])])
            let (third, fourth) = (values[Int(run[from &+ 2])], values[Int(run[from &+ 3])])
            guard first | second | third | fourth < 64 else { break }
            output[to] = first << 2 | second >> 4
            output[to &+ 1] = second << 4 | third >> 2
            output[to &+ 2] = third << 6 | fourth
            from &+= 4
            to &+= 3
        }
        var buffer: UInt32 = 0
        var bits: UInt32 = 0
        while from < run.count {
            let value = values[Int(run[from])]
            guard value != notBase64 else { break }
            buffer = buffer << 6 | UInt32(value)
            bits += 6
            if bits >= 8 {
                bits -= 8
                output[to] = UInt8(truncatingIfNeeded: buffer >> bits)
                to += 1
            }
            from += 1
        }
        bytes.removeLast(bytes.count - to)
        return bytes
    }

    /// The bytes of pairs of hexadecimal digits, up to the first that is not one.
    static func hex(_ run: Span<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(run.count / 2)
        var index = 0
        while index + 1 < run.count, let high = run[index].hexValue, let low = run[index + 1].hexValue {
            bytes.append(high << 4 | low)
            index += 2
        }
        return bytes
    }

    /// Bit n is set when, read as base64 from its n-th character, the run may hold 13 digits in a row: the first
    /// character of each group of four then stands for a digit, a space, a plus sign or a hyphen.
    static func base64DigitStarts(_ run: Span<UInt8>) -> UInt8 {
        var found: UInt8 = 0
        for start in 0..<4 {
            // Thirteen characters begin at least four groups in a row, so every fourth group is looked at.
            var index = start + 12
            while index < run.count {
                if beginsDigits(run[index]) {
                    var count = 1
                    var before = index - 4
                    while before >= 0, count < 4, beginsDigits(run[before]) {
                        count += 1
                        before -= 4
                    }
                    var after = index + 4
                    while after < run.count, count < 4, beginsDigits(run[after]) {
                        count += 1
                        after += 4
                    }
                    if count == 4 {
                        found |= 1 << UInt8(start)
                        break
                    }
                }
                index += 16
            }
        }
        return found
    }

    /// I, K, L, M, N, O: the six upper bits of 0x20, 0x2B, 0x2D and of the digits.
    @inline(__always)
    private static func beginsDigits(_ byte: UInt8) -> Bool { byte &- 0x49 < 7 && byte != 0x4A }

    /// Bit n is set when, read as hexadecimal from its n-th character, the run may hold 13 digits in a row.
    static func hexDigitStarts(_ run: Span<UInt8>) -> UInt8 {
        var found: UInt8 = 0
        for start in 0..<2 {
            var index = start + 24
            while index + 1 < run.count {
                if isHexOfDigit(run, index) {
                    var count = 1
                    var before = index - 2
                    while before >= 0, count < 13, isHexOfDigit(run, before) {
                        count += 1
                        before -= 2
                    }
                    var after = index + 2
                    while after + 1 < run.count, count < 13, isHexOfDigit(run, after) {
                        count += 1
                        after += 2
                    }
                    if count == 13 {
                        found |= 1 << UInt8(start)
                        break
                    }
                }
                index += 26
            }
        }
        return found
    }

    /// Two characters that stand for a digit, a space, a plus sign or a hyphen.
    @inline(__always)
    private static func isHexOfDigit(_ run: Span<UInt8>, _ index: Int) -> Bool {
        let second = run[index + 1]
        switch run[index] {
        case 0x33: return second.isDigit
        case 0x32: return second == 0x30 || second | 0x20 == 0x62 || second | 0x20 == 0x64
        default: return false
        }
    }

    /// Whether the run, read as base64, begins with nine bytes of text.
    static func beginsAsBase64Text(_ run: Span<UInt8>) -> Bool {
        guard run.count >= 12 else { return false }
        let values = values.span
        for group in 0..<3 {
            var buffer: UInt32 = 0
            for index in group * 4..<group * 4 + 4 {
                let value = values[Int(run[index])]
                guard value != notBase64 else { return false }
                buffer = buffer << 6 | UInt32(value)
            }
            guard isText(UInt8(buffer >> 16)), isText(UInt8(buffer >> 8 & 0xFF)), isText(UInt8(buffer & 0xFF)) else {
                return false
            }
        }
        return true
    }

    /// Whether the run, read as hexadecimal, begins with eight bytes of text.
    static func beginsAsHexText(_ run: Span<UInt8>) -> Bool {
        guard run.count >= 16 else { return false }
        for index in 0..<8 {
            guard let high = run[index * 2].hexValue, let low = run[index * 2 + 1].hexValue, isText(high << 4 | low)
            else { return false }
        }
        return true
    }

    /// Printable ASCII, a tab or a line end.
    private static func isText(_ byte: UInt8) -> Bool {
        (0x20...0x7E).contains(byte) || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
}

/// One walk over the bytes of a text that says which searches are worth their time. Most texts need none.
struct QuickScan: OptionSet {
    let rawValue: UInt8

    /// Thirteen digits, alone or in groups.
    static let cards = QuickScan(rawValue: 1)
    /// A run of base64 or hexadecimal characters that may hide something, or a JWT.
    static let encoded = QuickScan(rawValue: 2)
    /// A sensitive name between quotes.
    static let members = QuickScan(rawValue: 4)
    /// The dashes that begin a PEM block.
    static let pem = QuickScan(rawValue: 8)
    /// A percent sign: the decoded text must be searched too.
    static let percent = QuickScan(rawValue: 16)
    /// A backslash: likewise.
    static let backslash = QuickScan(rawValue: 32)

    /// What the walk does about each byte.
    private enum Kind {
        static let other: UInt8 = 0
        static let digit: UInt8 = 1
        static let letter: UInt8 = 2
        /// `/` and `_`: in a run, and no separator of digits.
        static let mark: UInt8 = 3
        /// `+` and `-`: in a run, and a separator of digits.
        static let joiner: UInt8 = 4
        static let space: UInt8 = 5
        static let quote: UInt8 = 6
        static let percent: UInt8 = 7
        static let backslash: UInt8 = 8
    }

    private static let kinds: [UInt8] = (0...255).map { (byte: UInt8) in
        switch byte {
        case 0x30...0x39: Kind.digit
        case 0x41...0x5A, 0x61...0x7A: Kind.letter
        case 0x2F, 0x5F: Kind.mark
        case 0x2B, 0x2D: Kind.joiner
        case 0x20: Kind.space
        case 0x22: Kind.quote
        case 0x25: Kind.percent
        case 0x5C: Kind.backslash
        default: Kind.other
        }
    }

    /// What `bytes` may need.
    static func needs(of bytes: Span<UInt8>) -> QuickScan {
        let kinds = kinds.span
        var needs: QuickScan = []
        // Digits so far, and whether a separator was the last byte.
        var digits = 0
        var isJoined = false
        var runStart = 0
        for index in 0..<bytes.count {
            let kind = kinds[Int(bytes[index])]
            switch kind {
            case Kind.digit:
                digits &+= 1
                isJoined = false
                if digits == CardNumber.lengths.lowerBound { needs.insert(.cards) }
                continue
            case Kind.letter, Kind.mark:
                digits = 0
                continue
            case Kind.joiner:
                if isJoined { digits = 0 }
                isJoined = true
                if bytes[index] == 0x2D, index >= 4, bytes[index - 1] == 0x2D, bytes[index - 4] == 0x2D {
                    needs.insert(.pem)
                }
                continue
            case Kind.space:
                if isJoined { digits = 0 }
                isJoined = true
            case Kind.quote:
                digits = 0
                if !needs.contains(.members), SensitiveName.match(bytes, at: index + 1) != nil {
                    needs.insert(.members)
                }
            case Kind.percent:
                digits = 0
                needs.insert(.percent)
            case Kind.backslash:
                digits = 0
                needs.insert(.backslash)
            default: digits = 0
            }
            // Here a run ends.
            look(at: runStart..<index, of: bytes, &needs)
            runStart = index + 1
        }
        look(at: runStart..<bytes.count, of: bytes, &needs)
        return needs
    }

    @inline(__always)
    private static func look(at run: Range<Int>, of bytes: Span<UInt8>, _ needs: inout QuickScan) {
        guard run.count >= EncodedText.shortestRun, !needs.contains(.encoded) else { return }
        if EncodedSearch.isSuspicious(bytes.extracting(run)) { needs.insert(.encoded) }
    }
}

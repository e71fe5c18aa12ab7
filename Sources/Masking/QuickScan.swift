/// A look at the bytes of a text that says which searches are worth their time. Most texts need none.
struct QuickScan: OptionSet {
    let rawValue: UInt8

    /// A card number as it stands.
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
    /// A sensitive name before an equals sign, as in a query or an attribute.
    static let parameters = QuickScan(rawValue: 64)
    /// A sensitive name after the angle bracket of an element.
    static let elements = QuickScan(rawValue: 128)

    /// What a byte is, as bits.
    private enum Kind {
        /// A digit, or what may stand between two digits of a card number: a space, a plus sign, a hyphen, a dot.
        static let chain: UInt8 = 1
        /// A character of base64.
        static let run: UInt8 = 2
        static let hyphen: UInt8 = 4
        static let quote: UInt8 = 8
        static let percent: UInt8 = 16
        static let backslash: UInt8 = 32
        static let equals: UInt8 = 64
        static let angle: UInt8 = 128
    }

    private static let kinds: [UInt8] = (0...255).map { (byte: UInt8) in
        switch byte {
        case 0x30...0x39, 0x2B: Kind.run | Kind.chain
        case 0x41...0x5A, 0x61...0x7A, 0x2F, 0x5F: Kind.run
        case 0x2D: Kind.run | Kind.chain | Kind.hyphen
        case 0x20, 0x2E: Kind.chain
        case 0x22: Kind.quote
        case 0x25: Kind.percent
        case 0x5C: Kind.backslash
        case 0x3D: Kind.equals
        case 0x3C: Kind.angle
        default: 0
        }
    }

    /// What `bytes` may need.
    static func needs(of bytes: [UInt8]) -> QuickScan {
        var needs = marks(in: bytes.span)
        needs.formUnion(
            stretches(in: bytes.span) { chain in !CardSearch.edits(in: bytes, within: chain).isEmpty }
        )
        return needs
    }

    /// Whether `bytes` certainly need nothing. Says so of most texts, without a copy of them.
    static func areClean(_ bytes: Span<UInt8>) -> Bool {
        marks(in: bytes).isEmpty && stretches(in: bytes) { _ in true }.isEmpty
    }

    /// Looks at every byte for the few that begin something.
    private static func marks(in bytes: Span<UInt8>) -> QuickScan {
        let kinds = kinds.span
        var needs: QuickScan = []
        for index in 0..<bytes.count {
            let kind = kinds[Int(bytes[index])]
            if kind < Kind.hyphen { continue }
            if kind == Kind.quote {
                if SensitiveName.match(bytes, at: index &+ 1) != nil { needs.insert(.members) }
            } else if kind == Kind.percent {
                needs.insert(.percent)
            } else if kind == Kind.backslash {
                needs.insert(.backslash)
            } else if kind == Kind.equals {
                if SensitiveName.match(bytes, before: index) != nil { needs.insert(.parameters) }
            } else if kind == Kind.angle {
                if MarkupSearch.element(bytes, at: index) != nil { needs.insert(.elements) }
            } else if index >= 4, bytes[index - 1] == 0x2D, bytes[index - 4] == 0x2D {
                needs.insert(.pem)
            }
        }
        return needs
    }

    /// Looks at every thirteenth byte: no chain of thirteen digits and no run of sixteen characters lies between.
    ///
    /// - Parameter holdsCard: asked of a chain that is long enough for a card number.
    private static func stretches(in span: Span<UInt8>, holdsCard: (Range<Int>) -> Bool) -> QuickScan {
        let step = CardNumber.lengths.lowerBound
        let kinds = kinds.span
        var needs: QuickScan = []
        var index = step - 1
        var runEnd = 0
        while index < span.count {
            let kind = kinds[Int(span[index])]
            if kind & Kind.run != 0, index >= runEnd {
                let run = stretch(around: index, Kind.run, span)
                runEnd = run.upperBound
                if run.count >= EncodedText.shortestRun,
                    EncodedSearch.isSuspicious(span.extracting(run)) || EncodedSearch.isCredential(run, span)
                        || beginsClaims(span, after: run.upperBound)
                {
                    needs.insert(.encoded)
                }
            }
            if kind & Kind.chain != 0 {
                let chain = stretch(around: index, Kind.chain, span)
                index = chain.upperBound
                if chain.count >= step, holdsCard(chain) { needs.insert(.cards) }
            }
            index += step
        }
        return needs
    }

    /// A dot and the base64url of `{"` or of `{` and space: what stands before may be the header of a JWT.
    private static func beginsClaims(_ bytes: Span<UInt8>, after end: Int) -> Bool {
        end + 2 < bytes.count && bytes[end] == 0x2E && bytes[end + 1] == 0x65
            && (bytes[end + 2] == 0x79 || bytes[end + 2] == 0x77)
    }

    /// The bytes of one kind around an offset.
    private static func stretch(around index: Int, _ kind: UInt8, _ bytes: Span<UInt8>) -> Range<Int> {
        let kinds = kinds.span
        var start = index
        var end = index + 1
        while start > 0, kinds[Int(bytes[start - 1])] & kind != 0 { start &-= 1 }
        while end < bytes.count, kinds[Int(bytes[end])] & kind != 0 { end &+= 1 }
        return start..<end
    }
}

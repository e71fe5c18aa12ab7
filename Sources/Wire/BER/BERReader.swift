/// How much a ``BERReader`` is willing to look at.
package struct BERLimits: Sendable {
    /// Bytes in all.
    package let bytes: Int
    /// Levels of nesting.
    package let depth: Int

    /// Both bounds.
    package init(bytes: Int, depth: Int) {
        self.bytes = bytes
        self.depth = depth
    }

    /// 1 MiB and 16 levels: a card payload is some hundred bytes and eight levels.
    package static let standard = BERLimits(bytes: 1 << 20, depth: 16)
}

/// Walks the elements of one level of BER (X.690, section 8) or DER (section 10), within fixed bounds.
///
/// Nothing is recursed into until it is asked for, apart from finding the end of an indefinite length.
package struct BERReader: Sendable {
    /// Which encodings of a value are accepted.
    package enum Rules: Sendable {
        /// Any: indefinite lengths and strings in pieces too.
        case basic
        /// The one distinguished encoding.
        case distinguished
    }

    let bytes: [UInt8]
    let rules: Rules
    /// Levels that may still be entered.
    let depth: Int
    /// Where the next element begins, counted from the start of the outermost bytes.
    package private(set) var offset: Int
    let end: Int

    /// - Throws: ``BERFault`` when `bytes` is larger than `limits` allows.
    package init(
        _ bytes: [UInt8],
        rules: Rules = .basic,
        limits: BERLimits = .standard
    ) throws(BERFault) {
        guard bytes.count <= limits.bytes else { throw BERFault(.tooLarge, at: limits.bytes) }
        self.bytes = bytes
        self.rules = rules
        depth = limits.depth
        offset = 0
        end = bytes.count
    }

    /// The inside of an element whose content is `content`.
    init(_ bytes: [UInt8], rules: Rules, depth: Int, content: Range<Int>) {
        self.bytes = bytes
        self.rules = rules
        self.depth = depth
        offset = content.lowerBound
        end = content.upperBound
    }

    /// Whether nothing is left on this level.
    package var isAtEnd: Bool { offset == end }

    /// The next element, of whatever kind.
    package mutating func next() throws(BERFault) -> BERElement {
        let element = try element(at: offset)
        offset = element.range.upperBound
        return element
    }

    /// The next element, which must be of the kind `tag`.
    package mutating func next(_ tag: BERTag) throws(BERFault) -> BERElement {
        guard !isAtEnd else { throw BERFault(.unexpectedElement, at: offset, expected: tag) }
        let element = try element(at: offset)
        guard element.tag == tag else { throw BERFault(.unexpectedElement, at: offset, expected: tag) }
        offset = element.range.upperBound
        return element
    }

    /// The next element if it is of the kind `tag`; otherwise nil, and nothing is consumed.
    package mutating func nextIfPresent(_ tag: BERTag) throws(BERFault) -> BERElement? {
        guard !isAtEnd else { return nil }
        let element = try element(at: offset)
        guard element.tag == tag else { return nil }
        offset = element.range.upperBound
        return element
    }

    /// The tag of the next element, or nil at the end.
    package func peek() throws(BERFault) -> BERTag? {
        isAtEnd ? nil : try header(at: offset).tag
    }

    /// - Throws: ``BERFault`` when something is left.
    package func finish() throws(BERFault) {
        guard isAtEnd else { throw BERFault(.trailingBytes, at: offset) }
    }

    /// The only element of `bytes`; anything after it is refused.
    package static func single(
        _ tag: BERTag,
        in bytes: [UInt8],
        rules: Rules = .basic,
        limits: BERLimits = .standard
    ) throws(BERFault) -> BERElement {
        var reader = try BERReader(bytes, rules: rules, limits: limits)
        let element = try reader.next(tag)
        try reader.finish()
        return element
    }
}

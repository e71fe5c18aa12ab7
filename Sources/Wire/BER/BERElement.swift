/// One element: its kind, its place, and typed readings of its content.
package struct BERElement: Sendable {
    /// The kind of element.
    package let tag: BERTag
    /// Whether the content is made of elements.
    package let isConstructed: Bool
    /// All octets of the element, within the outermost bytes.
    package let range: Range<Int>
    /// The content octets, without the end-of-contents octets of an indefinite length.
    package let content: Range<Int>
    let bytes: [UInt8]
    let rules: BERReader.Rules
    let depth: Int

    /// The element as it was sent.
    package var encoded: [UInt8] { Array(bytes[range]) }

    /// The content octets as they were sent.
    package var contentBytes: ArraySlice<UInt8> { bytes[content] }

    /// A reader of the elements inside.
    ///
    /// - Throws: ``BERFault`` for a primitive element and beyond the depth that was agreed.
    package func children() throws(BERFault) -> BERReader {
        guard isConstructed else { throw BERFault(.contentForm, at: range.lowerBound, expected: tag) }
        guard depth > 1 else { throw BERFault(.tooDeep, at: range.lowerBound) }
        return BERReader(bytes, rules: rules, depth: depth - 1, content: content)
    }

    /// The only element inside, which must be of the kind `tag`.
    package func child(_ tag: BERTag) throws(BERFault) -> BERElement {
        var reader = try children()
        let element = try reader.next(tag)
        try reader.finish()
        return element
    }

    /// The octets of an OCTET STRING, or of an implicitly tagged one, with its pieces joined.
    package func octets() throws(BERFault) -> [UInt8] {
        guard isConstructed else { return Array(contentBytes) }
        guard rules == .basic else { throw BERFault(.contentForm, at: range.lowerBound) }
        var octets: [UInt8] = []
        octets.reserveCapacity(content.count)
        try appendPieces(to: &octets)
        return octets
    }

    private func appendPieces(to octets: inout [UInt8]) throws(BERFault) {
        var pieces = try children()
        while !pieces.isAtEnd {
            let piece = try pieces.next(.octetString)
            if piece.isConstructed {
                try piece.appendPieces(to: &octets)
            } else {
                octets.append(contentsOf: piece.contentBytes)
            }
        }
    }

    /// The two's complement octets of an INTEGER, shortest form.
    package func integerOctets() throws(BERFault) -> [UInt8] {
        let octets = try primitive()
        guard let first = octets.first else { throw fault }
        if octets.count > 1, let second = octets.dropFirst().first {
            let isPadded = first == 0x00 && second < 0x80 || first == 0xFF && second >= 0x80
            if isPadded { throw fault }
        }
        return Array(octets)
    }

    /// The magnitude of an INTEGER that must not be negative, without leading zeros.
    package func unsignedOctets() throws(BERFault) -> [UInt8] {
        let octets = try integerOctets()
        guard let first = octets.first, first < 0x80 else { throw fault }
        return first == 0 ? Array(octets.dropFirst()) : octets
    }

    /// A small INTEGER, such as a version.
    package func integer() throws(BERFault) -> Int {
        let octets = try integerOctets()
        guard octets.count <= 4, let first = octets.first else { throw fault }
        return octets.reduce(first >= 0x80 ? -1 : 0) { $0 << 8 | Int($1) }
    }

    /// The value of a BOOLEAN.
    package func boolean() throws(BERFault) -> Bool {
        let octets = try primitive()
        guard octets.count == 1, let octet = octets.first else { throw fault }
        if rules == .distinguished, octet != 0, octet != 0xFF { throw fault }
        return octet != 0
    }

    /// The value of an OBJECT IDENTIFIER.
    package func objectIdentifier() throws(BERFault) -> OID {
        guard let identifier = OID(content: Array(try primitive())) else { throw fault }
        return identifier
    }

    /// The octets of a BIT STRING that holds whole octets, as keys and signatures are.
    package func bitStringOctets() throws(BERFault) -> [UInt8] {
        let octets = try primitive()
        guard octets.first == 0 else { throw fault }
        return Array(octets.dropFirst())
    }

    /// The bits of a short BIT STRING, the first named bit first.
    package func bits() throws(BERFault) -> [Bool] {
        let octets = try primitive()
        guard let unused = octets.first, unused < 8, unused == 0 || octets.count > 1 else { throw fault }
        let all = octets.dropFirst().flatMap { octet in (0..<8).map { octet & (0x80 >> UInt8($0)) != 0 } }
        return Array(all.dropLast(Int(unused)))
    }

    /// The text of a character string; T61 and IA5 are read as Latin-1.
    package func text() throws(BERFault) -> String {
        let octets = try primitive()
        switch tag {
        case .utf8String, .printableString:
            guard let text = String(validating: octets, as: UTF8.self) else { throw fault }
            return text
        default:
            return String(String.UnicodeScalarView(octets.map { Unicode.Scalar($0) }))
        }
    }

    private func primitive() throws(BERFault) -> ArraySlice<UInt8> {
        guard !isConstructed else { throw fault }
        return contentBytes
    }

    /// The content does not fit the type that was asked for.
    var fault: BERFault { BERFault(.contentForm, at: range.lowerBound, expected: tag) }
}

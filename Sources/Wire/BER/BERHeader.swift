/// Identifier and length octets of an element.
struct BERHeader {
    let tag: BERTag
    let isConstructed: Bool
    /// Where the content begins.
    let contentStart: Int
    /// Nil for the indefinite form.
    let length: Int?
}

extension BERReader {
    /// The element that begins at `start`.
    func element(at start: Int) throws(BERFault) -> BERElement {
        let header = try header(at: start)
        guard header.tag != .endOfContents else { throw BERFault(.unexpectedElement, at: start) }
        let content: Range<Int>
        let after: Int
        if let length = header.length {
            content = header.contentStart..<header.contentStart + length
            after = content.upperBound
        } else {
            let contentEnd = try endOfContents(from: header.contentStart, depth: depth - 1)
            content = header.contentStart..<contentEnd
            after = contentEnd + 2
        }
        return BERElement(
            tag: header.tag,
            isConstructed: header.isConstructed,
            range: start..<after,
            content: content,
            bytes: bytes,
            rules: rules,
            depth: depth
        )
    }

    /// Identifier and length at `start`; a definite length is within this level.
    func header(at start: Int) throws(BERFault) -> BERHeader {
        var index = start
        let first = try octet(at: &index)
        let tagClass = BERTag.Class(rawValue: first >> 6) ?? .universal
        let isConstructed = first & 0x20 != 0
        var number = UInt32(first & 0x1F)
        if number == 0x1F {
            number = 0
            var octet = try octet(at: &index)
            guard octet != 0x80 else { throw BERFault(.tagForm, at: start) }
            while true {
                guard number < 1 << 21 else { throw BERFault(.tagForm, at: start) }
                number = number << 7 | UInt32(octet & 0x7F)
                if octet & 0x80 == 0 { break }
                octet = try self.octet(at: &index)
            }
            guard number > 30 else { throw BERFault(.tagForm, at: start) }
        }
        let length = try length(at: &index, isConstructed: isConstructed)
        if let length, length > end - index {
            throw end < bytes.count ? BERFault(.lengthBeyondParent, at: start) : BERFault(.truncated, at: end)
        }
        return BERHeader(
            tag: BERTag(tagClass, number),
            isConstructed: isConstructed,
            contentStart: index,
            length: length
        )
    }

    private func length(at index: inout Int, isConstructed: Bool) throws(BERFault) -> Int? {
        let start = index
        let first = try octet(at: &index)
        if first < 0x80 { return Int(first) }
        if first == 0x80 {
            guard rules == .basic, isConstructed else { throw BERFault(.indefiniteLength, at: start) }
            return nil
        }
        guard first != 0xFF else { throw BERFault(.lengthForm, at: start) }
        var length = 0
        for position in 0..<Int(first & 0x7F) {
            let octet = try octet(at: &index)
            if rules == .distinguished, position == 0, octet == 0 { throw BERFault(.lengthNotMinimal, at: start) }
            guard length < 1 << 32 else { throw BERFault(.lengthForm, at: start) }
            length = length << 8 | Int(octet)
        }
        if rules == .distinguished, length < 0x80 { throw BERFault(.lengthNotMinimal, at: start) }
        return length
    }

    /// Where the end-of-contents octets that close the level beginning at `start` are.
    private func endOfContents(from start: Int, depth: Int) throws(BERFault) -> Int {
        guard depth > 0 else { throw BERFault(.tooDeep, at: start) }
        var index = start
        while true {
            let header = try header(at: index)
            if header.tag == .endOfContents {
                guard header.length == 0, !header.isConstructed else { throw BERFault(.lengthForm, at: index) }
                return index
            }
            if let length = header.length {
                index = header.contentStart + length
            } else {
                index = try endOfContents(from: header.contentStart, depth: depth - 1) + 2
            }
        }
    }

    private func octet(at index: inout Int) throws(BERFault) -> UInt8 {
        guard index < end else { throw BERFault(.truncated, at: end) }
        defer { index += 1 }
        return bytes[index]
    }
}

/// Finds card numbers in a text: digits in one piece, or in groups with one space, hyphen or plus sign between them, or a dot
/// where the groups are those that are printed on cards.
struct CardSearch {
    private let bytes: [UInt8]
    private var groups: [Range<Int>] = []

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Every card number in `bytes`, replaced by stars and its last four digits; with `range` those that begin there.
    static func edits(in bytes: [UInt8], within range: Range<Int>? = nil) -> MaskingEdits {
        var search = CardSearch(bytes)
        var edits = MaskingEdits()
        search.run(range ?? 0..<bytes.count, &edits)
        return edits
    }

    /// A space, `-`, `+` or a dot.
    static func isSeparator(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x2D || byte == 0x2B || byte == CardSearch.dot
    }

    private static let dot: UInt8 = 0x2E
    /// Digits of most card numbers.
    private static let usual = 16
    /// Most digits of a piece in which numbers are looked for one by one; no reference is as long.
    private static let longest = 512

    private mutating func run(_ range: Range<Int>, _ edits: inout MaskingEdits) {
        var index = range.lowerBound
        while index < range.upperBound {
            guard bytes[index].isDigit else {
                index += 1
                continue
            }
            let start = index
            // One chain: groups of digits, one separator between two of them.
            var digits = 0
            while index < bytes.count {
                if bytes[index].isDigit {
                    digits += 1
                } else if !CardSearch.isSeparator(bytes[index]) || index + 1 == bytes.count
                    || !bytes[index + 1].isDigit
                {
                    break
                }
                index += 1
            }
            if digits >= CardNumber.lengths.lowerBound {
                split(start..<index)
                resolve(&edits)
            }
        }
    }

    /// Finds the groups of a chain.
    private mutating func split(_ chain: Range<Int>) {
        groups.removeAll(keepingCapacity: true)
        var start = chain.lowerBound
        for index in chain where !bytes[index].isDigit {
            groups.append(start..<index)
            start = index + 1
        }
        groups.append(start..<chain.upperBound)
    }

    /// Looks at each sequence of whole groups that has the length of a card number.
    private func resolve(_ edits: inout MaskingEdits) {
        var first = 0
        while first < groups.count {
            var number = CardNumber()
            var best: (likeness: CardNumber.Likeness, last: Int, masked: String)?
            var last = first
            while last < groups.count, number.count + groups[last].count <= CardNumber.lengths.upperBound {
                for index in groups[last] { _ = number.append(bytes[index]) }
                if let likeness = number.likeness, best.map({ likeness >= $0.likeness }) ?? true,
                    isCredible(number, likeness, first...last)
                {
                    best = (likeness: likeness, last: last, masked: number.masked)
                }
                last += 1
            }
            if let best {
                edits.replace(groups[first].lowerBound..<groups[best.last].upperBound, with: best.masked)
                first = best.last + 1
            } else {
                if groups[first].count > CardSearch.usual { resolveLong(groups[first], &edits) }
                first += 1
            }
        }
    }

    /// A longer piece of digits is something else than a card number, or one with what was written behind it: its expiry, the
    /// next number. Only what leaves no doubt counts, and no part of a word: references begin with letters. One that is longer
    /// than any reference goes as a whole.
    private func resolveLong(_ piece: Range<Int>, _ edits: inout MaskingEdits) {
        let before = piece.lowerBound > 0 ? bytes[piece.lowerBound - 1] : 0
        let after = piece.upperBound < bytes.count ? bytes[piece.upperBound] : 0
        if before.isLetter || after.isLetter { return }
        guard piece.count <= CardSearch.longest else {
            return edits.replace(piece, with: "<\(piece.count) digits>")
        }
        // The last four of a number that is masked already.
        var start = piece.lowerBound + (isMasked(before: piece.lowerBound) ? 4 : 0)
        while start + 15 <= piece.upperBound {
            let number = [16, 15].lazy.compactMap { cardNumber(at: start, $0, in: piece) }.first {
                $0.likeness == .both
            }
            if let number { edits.replace(start..<start + number.count, with: number.masked) }
            start += number?.count ?? 1
        }
    }

    private func cardNumber(at start: Int, _ length: Int, in piece: Range<Int>) -> CardNumber? {
        guard start + length <= piece.upperBound else { return nil }
        var number = CardNumber()
        for index in start..<start + length { _ = number.append(bytes[index]) }
        return number
    }

    /// Whether what stands around the digits, and the way they are grouped, lets them be a card number.
    private func isCredible(_ number: CardNumber, _ likeness: CardNumber.Likeness, _ span: ClosedRange<Int>) -> Bool {
        let start = groups[span.lowerBound].lowerBound
        let end = groups[span.upperBound].upperBound
        let before = start > 0 ? bytes[start - 1] : 0
        let after = end < bytes.count ? bytes[end] : 0
        // The rest of a number that is masked already.
        if isMasked(before: start) { return false }
        if span.count > 1, isInUUID(start..<end) { return false }
        let isFraction = before == 0x2E && start > 1 && bytes[start - 2].isDigit
        if before.isLetter || after.isLetter || isFraction {
            // Part of a word: only what leaves no doubt, and never inside a long hexadecimal reference.
            guard likeness == .both, number.count == 15 || number.count == 16 else { return false }
            return !isInHexWord(start..<end)
        }
        guard span.count > 1 else { return true }
        // Dots stand in versions, addresses and amounts too.
        if bytes[start..<end].contains(CardSearch.dot) {
            return likeness != .checkDigit && Masking.printedGroups.contains(groups[span].map(\.count))
        }
        switch likeness {
        case .both: return true
        case .scheme: return groups[span].dropLast().allSatisfy { $0.count == 4 || $0.count == 6 }
        case .checkDigit:
            let sizes = groups[span].map(\.count)
            return (3...6).contains(number.prefix(1))
                && (sizes.allSatisfy { (2...6).contains($0) } || sizes.allSatisfy { $0 == 1 })
        }
    }

    /// Whether stars that stand for digits end here.
    private func isMasked(before start: Int) -> Bool {
        start >= 9 && bytes[start - 9..<start].allSatisfy { $0 == 0x2A }
    }

    /// Whether the letters and digits around `range` are 24 or more hexadecimal digits.
    private func isInHexWord(_ range: Range<Int>) -> Bool {
        var start = range.lowerBound
        var end = range.upperBound
        while start > 0, range.lowerBound - start < 64, bytes[start - 1].hexValue != nil { start -= 1 }
        while end < bytes.count, end - range.upperBound < 64, bytes[end].hexValue != nil { end += 1 }
        let isCut = (start > 0 && bytes[start - 1].isLetter) || (end < bytes.count && bytes[end].isLetter)
        return end - start >= 24 && !isCut
    }

    /// Whether `range` lies in a text of the form 8-4-4-4-12 hexadecimal digits.
    private func isInUUID(_ range: Range<Int>) -> Bool {
        let earliest = max(0, range.upperBound - 36)
        let latest = min(range.lowerBound, bytes.count - 36)
        guard earliest <= latest else { return false }
        return (earliest...latest).contains { start in
            (0..<36).allSatisfy { offset in
                switch offset {
                case 8, 13, 18, 23: bytes[start + offset] == 0x2D
                default: bytes[start + offset].hexValue != nil
                }
            }
        }
    }
}

/// What is to be replaced in a text, found by several searches over the same bytes.
struct MaskingEdits {
    /// One stretch of bytes and what stands there afterwards.
    struct Edit {
        var range: Range<Int>
        var replacement: [UInt8]
    }

    private(set) var edits: [Edit] = []

    var isEmpty: Bool { edits.isEmpty }

    mutating func replace(_ range: Range<Int>, with replacement: String) {
        edits.append(Edit(range: range, replacement: Array(replacement.utf8)))
    }

    mutating func add(_ other: MaskingEdits) { edits += other.edits }

    /// Adds edits found in a decoded copy of the text, moved to the places of the original.
    mutating func merge(_ other: MaskingEdits, from view: DecodedView) {
        for edit in other.edits {
            edits.append(Edit(range: view.sourceRange(of: edit.range), replacement: edit.replacement))
        }
    }

    /// The first `limit` bytes with every edit made. An edit that begins before the limit is made whole, so that the
    /// cut never leaves part of a secret.
    func applied(to bytes: [UInt8], limit: Int) -> [UInt8] {
        let end = min(limit, bytes.count)
        var output: [UInt8] = []
        output.reserveCapacity(end)
        var index = 0
        for edit in disjoint() where edit.range.lowerBound < end {
            output.append(contentsOf: bytes[index..<edit.range.lowerBound])
            output.append(contentsOf: edit.replacement)
            index = edit.range.upperBound
        }
        if index < end { output.append(contentsOf: bytes[index..<end]) }
        return output
    }

    /// The edits in order. Where two overlap the longer one speaks, over the bytes of both; of equals the first.
    private func disjoint() -> [Edit] {
        let ordered = edits.enumerated().sorted { left, right in
            (left.element.range.lowerBound, left.offset) < (right.element.range.lowerBound, right.offset)
        }
        var result: [Edit] = []
        for (_, edit) in ordered {
            guard let last = result.last, edit.range.lowerBound < last.range.upperBound else {
                result.append(edit)
                continue
            }
            let whole = last.range.lowerBound..<max(last.range.upperBound, edit.range.upperBound)
            let speaker = edit.range.count > last.range.count ? edit : last
            result[result.count - 1] = Edit(range: whole, replacement: speaker.replacement)
        }
        return result
    }
}

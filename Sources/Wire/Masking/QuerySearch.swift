/// Finds sensitive parameters in a query string or a form.
enum QuerySearch {
    /// The values of parameters with a sensitive name, replaced. In a target only what follows the question mark counts.
    static func edits(in bytes: [UInt8], isTarget: Bool) -> MaskingEdits {
        var edits = MaskingEdits()
        var start = 0
        if isTarget {
            guard let mark = bytes.firstIndex(of: 0x3F) else { return edits }
            start = mark + 1
        }
        while start < bytes.count {
            var end = start
            while end < bytes.count, bytes[end] != 0x26 { end += 1 }
            if let name = SensitiveName.match(bytes.span, at: start), start + name.length < end,
                bytes[start + name.length] == 0x3D, name.treatment != .keyPart
            {
                let value = start + name.length + 1..<end
                let view = DecodedView(Array(bytes[value])).decodingPercent()
                if let text = SensitiveName.replacement(for: view.bytes, name.treatment) {
                    edits.replace(value, with: text)
                }
            }
            start = end + 1
        }
        return edits
    }
}

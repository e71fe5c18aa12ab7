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

    /// Parameters and attributes inside any text: a sensitive name after `?`, `&` or space, an equals sign, a value.
    ///
    /// After a space the value must be between quotes, as an attribute's is: `code=` in a sentence is not one.
    static func inlineEdits(in bytes: [UInt8]) -> MaskingEdits {
        var edits = MaskingEdits()
        for index in bytes.indices where bytes[index] == 0x3D {
            guard let name = SensitiveName.match(bytes.span, before: index), name.start > 0,
                name.treatment != .keyPart, name.treatment != .keyType
            else { continue }
            var start = index + 1
            var end = start
            switch bytes[name.start - 1] {
            // `&amp;` ends in a semicolon, and so do parameters of a media type.
            case 0x3F, 0x26, 0x3B:
                while end < bytes.count, !endsParameter(bytes[end]) { end += 1 }
            case 0x20, 0x09, 0x0A, 0x0D, 0x3A:
                guard start < bytes.count, bytes[start] == 0x22 || bytes[start] == 0x27 else { continue }
                start += 1
                end = start
                while end < bytes.count, bytes[end] != bytes[start - 1] { end += 1 }
            default: continue
            }
            let view = DecodedView(Array(bytes[start..<end])).decodingPercent()
            if let text = SensitiveName.replacement(for: view.bytes, name.treatment) {
                edits.replace(start..<end, with: text)
            }
        }
        return edits
    }

    /// `&`, `;`, `#`, a quote, a backslash, an angle bracket, or space.
    private static func endsParameter(_ byte: UInt8) -> Bool {
        byte <= 0x20 || [0x26, 0x3B, 0x23, 0x22, 0x27, 0x5C, 0x3C, 0x3E].contains(byte)
    }
}

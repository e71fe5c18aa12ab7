/// Rewrites DER as streaming producers write it: indefinite lengths, and the content in many OCTET STRINGs.
enum StreamingBER {
    /// - Parameter chunk: bytes per OCTET STRING; an empty one is put in the middle.
    static func rewrite(_ der: [UInt8], chunk: Int) -> [UInt8] {
        var output: [UInt8] = []
        var rest = der[...]
        while let element = next(&rest) {
            if element.tag & 0x20 != 0 {
                output += [element.tag, 0x80] + rewrite(Array(element.value), chunk: chunk) + [0, 0]
            } else if element.tag == 0x80, element.value.count > 64 {
                output += [0xA0, 0x80] + pieces(Array(element.value), chunk) + [0, 0]
            } else {
                output += definite(element.tag, Array(element.value))
            }
        }
        return output
    }

    private static func pieces(_ bytes: [UInt8], _ chunk: Int) -> [UInt8] {
        var output: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: chunk) {
            output += definite(0x04, Array(bytes[start..<min(start + chunk, bytes.count)]))
            if start == 0 { output += [0x04, 0x00] }
        }
        return output
    }

    private static func definite(_ tag: UInt8, _ value: [UInt8]) -> [UInt8] {
        if value.count < 0x80 { return [tag, UInt8(value.count)] + value }
        return [tag, 0x82, UInt8(value.count >> 8), UInt8(value.count & 0xFF)] + value
    }

    private static func next(_ rest: inout ArraySlice<UInt8>) -> (tag: UInt8, value: ArraySlice<UInt8>)? {
        guard let tag = rest.popFirst(), let first = rest.popFirst() else { return nil }
        var length = Int(first)
        if first >= 0x80 {
            length = 0
            for _ in 0..<Int(first & 0x7F) { length = length << 8 | Int(rest.popFirst() ?? 0) }
        }
        defer { rest = rest.dropFirst(length) }
        return (tag, rest.prefix(length))
    }
}

extension JSON {
    /// The document without spaces, members in order, `/` not escaped.
    package var bytes: [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(256)
        write(to: &output)
        return output
    }

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    package func write(to output: inout [UInt8]) {
        switch self {
        case .null: output.append(contentsOf: "null".utf8)
        case .bool(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
        case .number(let text): output.append(contentsOf: text.utf8)
        case .string(let text): JSON.write(text, to: &output)
        case .array(let items):
            output.append(UInt8(ascii: "["))
            for index in items.indices {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                items[index].write(to: &output)
            }
            output.append(UInt8(ascii: "]"))
        case .object(let object):
            output.append(UInt8(ascii: "{"))
            for index in object.members.indices {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                JSON.write(object.members[index].key, to: &output)
                output.append(UInt8(ascii: ":"))
                object.members[index].value.write(to: &output)
            }
            output.append(UInt8(ascii: "}"))
        }
    }

    private static func write(_ text: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        if isPlain(text.utf8.span) {
            output.append(contentsOf: text.utf8)
        } else {
            writeEscaped(text, to: &output)
        }
        output.append(UInt8(ascii: "\""))
    }

    /// Whether no byte needs an escape.
    private static func isPlain(_ bytes: Span<UInt8>) -> Bool {
        for index in bytes.indices {
            let byte = bytes[index]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return false }
        }
        return true
    }

    private static func writeEscaped(_ text: String, to output: inout [UInt8]) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                output.append(UInt8(ascii: "\\"))
                output.append(byte)
            case 0x0A: output.append(contentsOf: "\\n".utf8)
            case 0x0D: output.append(contentsOf: "\\r".utf8)
            case 0x09: output.append(contentsOf: "\\t".utf8)
            case 0..<0x20:
                output.append(contentsOf: "\\u00".utf8)
                output.append(contentsOf: Hex.encode([byte]).utf8)
            default: output.append(byte)
            }
        }
    }
}

/// Percent-encoding of URIs (RFC 3986, section 2.1).
package enum PercentEncoding {
    /// The decoded text; nil for a cut escape or bytes that are not UTF-8.
    package static func decode(_ text: Substring, plusIsSpace: Bool = false) -> String? {
        guard isEncoded(text.utf8.span, plusIsSpace) else { return String(text) }
        var bytes: [UInt8] = []
        var iterator = text.utf8.makeIterator()
        while let byte = iterator.next() {
            switch byte {
            case 0x25:
                guard let high = iterator.next().flatMap(value), let low = iterator.next().flatMap(value) else {
                    return nil
                }
                bytes.append(high << 4 | low)
            case 0x2B where plusIsSpace: bytes.append(0x20)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func isEncoded(_ bytes: Span<UInt8>, _ plusIsSpace: Bool) -> Bool {
        for index in bytes.indices where bytes[index] == 0x25 || (plusIsSpace && bytes[index] == 0x2B) { return true }
        return false
    }

    /// Encodes everything but the unreserved characters.
    package static func encode(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = Array("0123456789ABCDEF")
                encoded += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
        return encoded
    }

    private static func value(_ character: UInt8) -> UInt8? {
        switch character {
        case 0x30...0x39: character - 0x30
        case 0x41...0x46: character - 0x41 + 10
        case 0x61...0x66: character - 0x61 + 10
        default: nil
        }
    }
}

/// Hexadecimal text (RFC 4648, section 8).
package enum Hex {
    private static let lower = Array("0123456789abcdef".utf8)

    /// Lower-case digits, two for each byte.
    package static func encode(_ bytes: some Sequence<UInt8>) -> String { encode(Array(bytes)) }

    // Not generic: other modules would call it without specialisation.
    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 2)
        for byte in bytes {
            text.append(lower[Int(byte >> 4)])
            text.append(lower[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of `text`, either case.
    ///
    /// - Throws: ``EncodingFault`` naming the offset of the first character that does not fit.
    package static func decode(_ text: some Collection<UInt8>) throws(EncodingFault) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 2)
        var high: UInt8?
        var offset = 0
        for character in text {
            guard let digit = value(of: character) else {
                throw EncodingFault(reason: .alphabet, offset: offset)
            }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
            offset += 1
        }
        guard high == nil else { throw EncodingFault(reason: .length, offset: offset) }
        return bytes
    }

    package static func decode(_ text: String) throws(EncodingFault) -> [UInt8] { try decode(Array(text.utf8)) }

    private static func value(of character: UInt8) -> UInt8? {
        switch character {
        case 0x30...0x39: character - 0x30
        case 0x41...0x46: character - 0x41 + 10
        case 0x61...0x66: character - 0x61 + 10
        default: nil
        }
    }
}

/// Why a text is not in the encoding it should be in.
package struct EncodingFault: Error, Equatable, Sendable {
    package enum Reason: String, Sendable {
        /// A character outside the alphabet.
        case alphabet
        /// Characters are missing or too many.
        case length
        /// Wrong, missing or unwanted `=` at the end.
        case padding
        /// The unused bits of the last character are not zero.
        case trailingBits
    }

    package let reason: Reason
    /// Character offset from the start of the text.
    package let offset: Int

    package init(reason: Reason, offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}

/// Base64 and base64url (RFC 4648, sections 4 and 5), strict: one text for each value.
package enum Base64 {
    package enum Variant: Sendable {
        /// `+` and `/`, padded.
        case standard
        /// `-` and `_`, without padding, as JOSE uses it (RFC 7515, section 2).
        case url
    }

    private static let standardAlphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let urlAlphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    private static let standardValues = table(standardAlphabet)
    private static let urlValues = table(urlAlphabet)
    private static let none: UInt8 = 0xFF

    private static func table(_ alphabet: [UInt8]) -> [UInt8] {
        var values = [UInt8](repeating: none, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }

    package static func encode(_ bytes: some Collection<UInt8>, _ variant: Variant = .standard) -> String {
        encode(Array(bytes), variant)
    }

    // Not generic: other modules would call it without specialisation.
    package static func encode(_ bytes: [UInt8], _ variant: Variant = .standard) -> String {
        let (alphabet, bytes) = ((variant == .standard ? standardAlphabet : urlAlphabet).span, bytes.span)
        var text = [UInt8](repeating: 0x3D, count: (bytes.count + 2) / 3 * 4)
        var output = text.mutableSpan
        var (from, to) = (0, 0)
        while from &+ 2 < bytes.count {
            let group = UInt32(bytes[from]) << 16 | UInt32(bytes[from &+ 1]) << 8 | UInt32(bytes[from &+ 2])
            output[to] = alphabet[Int(group >> 18)]
            output[to &+ 1] = alphabet[Int(group >> 12 & 63)]
            output[to &+ 2] = alphabet[Int(group >> 6 & 63)]
            output[to &+ 3] = alphabet[Int(group & 63)]
            from &+= 3
            to &+= 4
        }
        let rest = bytes.count - from
        if rest > 0 {
            let group = UInt32(bytes[from]) << 16 | (rest > 1 ? UInt32(bytes[from + 1]) << 8 : 0)
            for place in 0...rest { output[to + place] = alphabet[Int(group >> UInt32(18 - 6 * place) & 63)] }
            if variant == .url { text.removeLast(3 - rest) }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of `text`.
    ///
    /// - Throws: ``EncodingFault`` for a character outside the alphabet, a wrong length, padding that the variant
    ///   does not want, or unused bits that are not zero.
    package static func decode(
        _ text: some Collection<UInt8>,
        _ variant: Variant = .standard
    ) throws(EncodingFault) -> [UInt8] {
        let values = variant == .standard ? standardValues : urlValues
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3 + 2)
        var buffer: UInt32 = 0
        var bits = 0
        var offset = 0
        var padding = 0
        for character in text {
            if character == 0x3D {
                guard variant == .standard else { throw EncodingFault(reason: .padding, offset: offset) }
                padding += 1
            } else {
                guard padding == 0 else { throw EncodingFault(reason: .padding, offset: offset) }
                let value = values[Int(character)]
                guard value != none else { throw EncodingFault(reason: .alphabet, offset: offset) }
                buffer = buffer << 6 | UInt32(value)
                bits += 6
                if bits >= 8 {
                    bits -= 8
                    bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
                }
            }
            offset += 1
        }
        let characters = offset - padding
        guard characters % 4 != 1 else { throw EncodingFault(reason: .length, offset: offset) }
        if variant == .standard {
            guard padding <= 2, offset % 4 == 0 else { throw EncodingFault(reason: .padding, offset: offset) }
        }
        guard buffer & (1 << UInt32(bits) - 1) == 0 else {
            throw EncodingFault(reason: .trailingBits, offset: characters - 1)
        }
        return bytes
    }

    package static func decode(_ text: String, _ variant: Variant = .standard) throws(EncodingFault) -> [UInt8] {
        try decode(Array(text.utf8), variant)
    }
}

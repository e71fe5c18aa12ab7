/// Writes DER (X.690, section 10). Each function returns one whole element.
package enum DER {
    /// An element with the identifier octet `identifier`, which carries class, "constructed" and number.
    package static func element(_ identifier: UInt8, _ content: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = [identifier]
        bytes.reserveCapacity(content.count + 6)
        if content.count < 0x80 {
            bytes.append(UInt8(content.count))
        } else {
            let length = bigEndian(content.count)
            bytes.append(0x80 | UInt8(length.count))
            bytes.append(contentsOf: length)
        }
        bytes.append(contentsOf: content)
        return bytes
    }

    /// A SEQUENCE of whole elements.
    package static func sequence(_ parts: [UInt8]...) -> [UInt8] {
        var content: [UInt8] = []
        content.reserveCapacity(parts.reduce(0) { $0 + $1.count })
        for part in parts { content.append(contentsOf: part) }
        return element(0x30, content)
    }

    /// A SET OF: the elements in the order of their encodings (X.690, section 11.6).
    package static func set(of parts: [[UInt8]]) -> [UInt8] {
        element(0x31, Array(parts.sorted { $0.lexicographicallyPrecedes($1) }.joined()))
    }

    /// A constructed `[number]` around whole elements, explicit or the inside of an implicit SEQUENCE.
    package static func context(_ number: UInt8, _ content: [UInt8]) -> [UInt8] { element(0xA0 | number, content) }

    /// A primitive `[number]`, as of an implicit OCTET STRING.
    package static func primitiveContext(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
        element(0x80 | number, content)
    }

    /// An INTEGER that is not negative.
    package static func integer(_ value: Int) -> [UInt8] { integer(magnitude: bigEndian(value)) }

    /// An INTEGER that is not negative, of any length.
    package static func integer(magnitude: some Collection<UInt8>) -> [UInt8] {
        var octets = Array(magnitude.drop { $0 == 0 })
        if octets.first.map({ $0 >= 0x80 }) ?? true { octets.insert(0, at: 0) }
        return element(0x02, octets)
    }

    /// A BOOLEAN.
    package static func boolean(_ value: Bool) -> [UInt8] { [0x01, 0x01, value ? 0xFF : 0x00] }
    /// A NULL.
    package static var null: [UInt8] { [0x05, 0x00] }
    /// An OBJECT IDENTIFIER.
    package static func oid(_ identifier: OID) -> [UInt8] { element(0x06, identifier.content) }
    /// An OCTET STRING.
    package static func octetString(_ octets: [UInt8]) -> [UInt8] { element(0x04, octets) }
    /// A BIT STRING of whole octets.
    package static func bitString(_ octets: [UInt8]) -> [UInt8] { element(0x03, [0] + octets) }
    /// A UTF8String.
    package static func utf8String(_ text: String) -> [UInt8] { element(0x0C, Array(text.utf8)) }

    /// A BIT STRING of named bits, without trailing zeros (X.690, section 11.2.2).
    package static func namedBits(_ bits: [Bool]) -> [UInt8] {
        let count = (bits.lastIndex(of: true) ?? -1) + 1
        var octets = [UInt8](repeating: 0, count: (count + 7) / 8)
        for index in 0..<count where bits[index] { octets[index / 8] |= 0x80 >> UInt8(index % 8) }
        return element(0x03, [UInt8(octets.count * 8 - count)] + octets)
    }

    /// UTCTime until 2049, GeneralizedTime after (RFC 5280, section 4.1.2.5).
    package static func time(_ instant: Instant) -> [UInt8] {
        let civil = instant.civil
        let isShort = (1_950...2_049).contains(civil.year)
        let year = isShort ? padded(civil.year % 100, 2) : padded(civil.year, 4)
        let rest = [civil.month, civil.day, civil.hour, civil.minute, civil.second].map { padded($0, 2) }.joined()
        return element(isShort ? 0x17 : 0x18, Array((year + rest + "Z").utf8))
    }

    private static func padded(_ value: Int, _ width: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }

    private static func bigEndian(_ value: Int) -> [UInt8] {
        var octets: [UInt8] = []
        var rest = UInt(value)
        repeat {
            octets.append(UInt8(rest & 0xFF))
            rest >>= 8
        } while rest > 0
        return octets.reversed()
    }
}

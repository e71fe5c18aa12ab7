import Wire

/// The two forms of an ECDSA signature: DER as OpenSSL has it, R‖S as JOSE has it (RFC 7518, section 3.4).
enum ECDSASignature {
    /// R‖S, each of `length` bytes; nil when `der` is not SEQUENCE { INTEGER, INTEGER } of that size.
    static func raw(_ der: [UInt8], length: Int) -> [UInt8]? {
        guard var parts = try? BERReader.single(.sequence, in: der, rules: .distinguished).children(),
            let r = try? parts.next(.integer).unsignedOctets(), let s = try? parts.next(.integer).unsignedOctets(),
            parts.isAtEnd, r.count <= length, s.count <= length
        else { return nil }
        let pad = { (octets: [UInt8]) in [UInt8](repeating: 0, count: length - octets.count) + octets }
        return pad(r) + pad(s)
    }

    /// DER of R‖S.
    static func der(_ raw: [UInt8]) -> [UInt8] {
        let half = raw.count / 2
        return DER.sequence(DER.integer(magnitude: raw.prefix(half)), DER.integer(magnitude: raw.suffix(half)))
    }

    /// How long most DER signatures of P-256 are.
    static let usualLength = 71
    /// The order of P-256's group (SEC 2, section 2.4.2).
    private static let order: [UInt8] =
        [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0] + Array(repeating: 0xFF, count: 8) + [
            0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
        ]

    /// A DER signature of P-256 with its other half: (r, n − s) is as good as (r, s). One of the two has the usual length,
    /// but for one signature in about a hundred.
    static func mirrored(_ der: [UInt8]) -> [UInt8]? {
        guard let raw = raw(der, length: 32) else { return nil }
        var rest = order
        var borrow = 0
        for index in stride(from: 31, through: 0, by: -1) {
            let difference = Int(order[index]) - Int(raw[32 + index]) - borrow
            borrow = difference < 0 ? 1 : 0
            rest[index] = UInt8(truncatingIfNeeded: difference)
        }
        return self.der(raw.prefix(32) + rest)
    }

    /// Whether the bytes are a DER signature, for the diagnosis.
    static func isDER(_ bytes: [UInt8]) -> Bool { raw(bytes, length: 66) != nil }
}

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

    /// Whether the bytes are a DER signature, for the diagnosis.
    static func isDER(_ bytes: [UInt8]) -> Bool { raw(bytes, length: 66) != nil }
}

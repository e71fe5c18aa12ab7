import Wire

/// The authenticated attributes of AuthEnvelopedData (RFC 5083, section 2.1): only authenticated, never followed.
package struct AuthenticatedAttributes: Sendable {
    /// As sent: `[1]` and its content.
    let sent: [UInt8]
    /// What is authenticated: their DER as a SET OF, whatever encoding they were sent in (RFC 5083, section 2.2).
    let distinguished: [UInt8]
    /// How many there are.
    package let count: Int

    /// How many are looked at, and how many bytes of them.
    static let limits = (count: 32, bytes: 64 << 10)

    /// Nil when there are more than the limits allow.
    init?(_ element: BERElement) throws(BERFault) {
        guard element.range.count <= AuthenticatedAttributes.limits.bytes else { return nil }
        var attributes = try element.children()
        var encoded: [[UInt8]] = []
        // The type is a SET OF at least one.
        repeat {
            guard encoded.count < AuthenticatedAttributes.limits.count else { return nil }
            let attribute = try attributes.next(.sequence)
            var fields = try attribute.children()
            _ = try fields.next(.objectIdentifier).objectIdentifier()
            _ = try fields.next(.set)
            try fields.finish()
            encoded.append(try attribute.distinguished())
        } while !attributes.isAtEnd
        sent = element.encoded
        distinguished = DER.set(of: encoded)
        count = encoded.count
    }
}

extension BERElement {
    /// The same value in DER (X.690, section 10): shortest lengths, strings in one piece, sets in order.
    func distinguished() throws(BERFault) -> [UInt8] {
        if !isConstructed {
            let octets = tag == .boolean && contentBytes != [0] ? [0xFF] : Array(contentBytes)
            return element(octets, isConstructed: false)
        }
        if BERElement.stringTags.contains(tag) { return element(try octets(), isConstructed: false) }
        var inner = try children()
        var parts: [[UInt8]] = []
        while !inner.isAtEnd { parts.append(try inner.next().distinguished()) }
        if tag == .set { parts.sort { $0.lexicographicallyPrecedes($1) } }
        return element(Array(parts.joined()), isConstructed: true)
    }

    /// Strings whose pieces are OCTET STRINGs (X.690, sections 8.7 and 8.23).
    private static let stringTags: Set<BERTag> = [
        .octetString, .utf8String, .printableString, .t61String, .ia5String,
    ]

    /// An element with this one's identifier octets around `content`.
    private func element(_ content: [UInt8], isConstructed: Bool) -> [UInt8] {
        let sent = encoded
        // A number of 31 and above follows in octets of its own, of which the last is below 80.
        let isLong = sent[0] & 0x1F == 0x1F
        let last = isLong ? sent.dropFirst().firstIndex { $0 < 0x80 } ?? 0 : 0
        let first = isConstructed ? sent[0] | 0x20 : sent[0] & ~0x20
        return [first] + sent[0...last].dropFirst() + DER.element(0, content).dropFirst()
    }
}

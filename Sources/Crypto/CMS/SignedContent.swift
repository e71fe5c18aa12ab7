import Wire

/// SignedData (RFC 5652, section 5) around or inside an encrypted payload. It is recognised to be refused by name: the
/// payload's profile is EnvelopedData with the card in it, and no certificate of a signer is registered for it.
enum SignedContent {
    /// How the plaintext wraps SignedData, in words; nil when it does not.
    static func wrapping(_ plaintext: [UInt8]) -> String? {
        guard plaintext.first == 0x30, let outer = try? BERReader.single(.sequence, in: plaintext) else { return nil }
        if let type = encapsulated(outer) { return "SignedData of \(type.cmsName)" }
        guard var fields = try? outer.children(),
            (try? fields.next(.objectIdentifier).objectIdentifier()) == .signedData
        else { return nil }
        return "a ContentInfo of SignedData"
    }

    /// The type of what `element` signs, when it is the SEQUENCE of SignedData.
    static func encapsulated(_ element: BERElement) -> OID? {
        guard var fields = try? element.children(), (try? fields.next(.integer)) != nil,
            (try? fields.next(.set)) != nil, var content = try? fields.next(.sequence).children()
        else { return nil }
        return try? content.next(.objectIdentifier).objectIdentifier()
    }
}

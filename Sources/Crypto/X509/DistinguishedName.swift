import Wire

/// The few parts of a Name (RFC 5280, section 4.1.2.4) that the sandbox's own certificates carry.
package struct DistinguishedName: Sendable, Equatable {
    /// CN.
    package var commonName: String
    /// O.
    package var organization: String?
    /// C, two letters.
    package var country: String?

    /// A name of up to three parts.
    package init(commonName: String, organization: String? = nil, country: String? = nil) {
        self.commonName = commonName
        self.organization = organization
        self.country = country
    }

    /// The Name, DER, from the widest part to the narrowest.
    package var der: [UInt8] {
        var parts: [UInt8] = []
        for (type, value) in [(OID.country, country), (.organization, organization), (.commonName, commonName)] {
            guard let value else { continue }
            // countryName is a PrintableString by its definition.
            let text = type == .country ? DER.element(0x13, Array(value.utf8)) : DER.utf8String(value)
            parts += DER.set(of: [DER.sequence(DER.oid(type), text)])
        }
        return DER.element(0x30, parts)
    }

    /// The last common name of a Name, or nil.
    static func commonName(of name: BERElement) -> String? {
        var found: String?
        guard var sets = try? name.children() else { return nil }
        while !sets.isAtEnd {
            guard let set = try? sets.next(.set), var attributes = try? set.children() else { return found }
            while !attributes.isAtEnd {
                guard let attribute = try? attributes.next(.sequence), var parts = try? attribute.children(),
                    let type = try? parts.next(.objectIdentifier).objectIdentifier(), let value = try? parts.next()
                else { return found }
                if type == .commonName { found = (try? value.text()) ?? found }
            }
        }
        return found
    }
}

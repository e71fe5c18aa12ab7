package import Wire

/// One extension of a certificate, its value unread.
package struct CertificateExtension: Sendable, Equatable {
    /// Which extension it is.
    package let identifier: OID
    /// Whether a reader that does not know it must refuse.
    package let isCritical: Bool
    /// The DER inside the OCTET STRING; may be empty.
    package let value: [UInt8]

    /// An extension of any kind.
    package init(_ identifier: OID, isCritical: Bool = false, value: [UInt8]) {
        self.identifier = identifier
        self.isCritical = isCritical
        self.value = value
    }

    init(_ element: BERElement) throws(BERFault) {
        var parts = try element.children()
        identifier = try parts.next(.objectIdentifier).objectIdentifier()
        isCritical = try parts.nextIfPresent(.boolean)?.boolean() ?? false
        value = try parts.next(.octetString).octets()
        try parts.finish()
    }

    /// The extension as it stands in a certificate.
    package var der: [UInt8] {
        DER.sequence(DER.oid(identifier), isCritical ? DER.boolean(true) : [], DER.octetString(value))
    }

    /// SubjectKeyIdentifier of any bytes.
    package static func subjectKeyIdentifier(_ bytes: [UInt8]) -> CertificateExtension {
        CertificateExtension(.subjectKeyIdentifier, value: DER.octetString(bytes))
    }

    /// AuthorityKeyIdentifier with the issuer's key identifier.
    package static func authorityKeyIdentifier(_ bytes: [UInt8]) -> CertificateExtension {
        CertificateExtension(.authorityKeyIdentifier, value: DER.sequence(DER.primitiveContext(0, bytes)))
    }

    /// BasicConstraints, critical.
    package static func basicConstraints(isAuthority: Bool, pathLength: Int? = nil) -> CertificateExtension {
        let value = DER.sequence(isAuthority ? DER.boolean(true) : [], pathLength.map { DER.integer($0) } ?? [])
        return CertificateExtension(.basicConstraints, isCritical: true, value: value)
    }

    /// KeyUsage, critical.
    package static func keyUsage(_ usages: Set<KeyUsage>) -> CertificateExtension {
        let bits = KeyUsage.allCases.map { usages.contains($0) }
        return CertificateExtension(.keyUsage, isCritical: true, value: DER.namedBits(bits))
    }
}

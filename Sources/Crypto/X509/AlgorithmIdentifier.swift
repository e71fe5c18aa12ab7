package import Wire

/// An algorithm and its parameters (RFC 5280, section 4.1.1.2).
package struct AlgorithmIdentifier: Sendable {
    /// The algorithm.
    package let identifier: OID
    /// Nil when absent; NULL and absent mean the same to every algorithm here.
    package let parameters: BERElement?
    /// All octets, for comparing the two places of a certificate that name the signature.
    package let encoded: [UInt8]

    /// Reads the SEQUENCE.
    package init(_ element: BERElement) throws(BERFault) {
        var parts = try element.children()
        identifier = try parts.next(.objectIdentifier).objectIdentifier()
        let parameters = parts.isAtEnd ? nil : try parts.next()
        try parts.finish()
        self.parameters = parameters?.tag == .null ? nil : parameters
        encoded = element.encoded
    }

    /// The parameters when they are an object identifier, as of a named curve.
    package var parameterIdentifier: OID? { try? parameters?.objectIdentifier(as: .objectIdentifier) }
}

extension BERElement {
    /// The identifier in an element that must be of the kind `tag`.
    func objectIdentifier(as tag: BERTag) throws(BERFault) -> OID {
        guard self.tag == tag else { throw BERFault(.unexpectedElement, at: range.lowerBound, expected: tag) }
        return try objectIdentifier()
    }
}

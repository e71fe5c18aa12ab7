/// What a certificate's key may be used for (RFC 5280, section 4.2.1.3), in the order of the bits.
package enum KeyUsage: Int, Sendable, CaseIterable {
    case digitalSignature
    case nonRepudiation
    case keyEncipherment
    case dataEncipherment
    case keyAgreement
    case keyCertSign
    case cRLSign
    case encipherOnly
    case decipherOnly
}

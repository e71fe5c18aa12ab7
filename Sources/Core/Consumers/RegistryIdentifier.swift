/// Ids under which an issuer registers consumers, cards and products: `[A-Za-z0-9_-]`, as long as each field allows
/// (thales-push-provisioning 0).
package enum RegistryIdentifier {
    /// - Parameter limit: the longest, in bytes.
    package static func isValid(_ text: String, limit: Int) -> Bool {
        (1...limit).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
                default: false
                }
            }
    }

    /// Longest `cardId`.
    package static let cardLimit = 48
}

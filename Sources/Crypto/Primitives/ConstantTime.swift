import COpenSSL

/// Comparison of values that an attacker may guess byte by byte.
package enum ConstantTime {
    /// In a time that depends on the lengths only.
    package static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && (left.isEmpty || CRYPTO_memcmp(left, right, left.count) == 0)
    }

    /// As for bytes, of the UTF-8 of two texts.
    package static func areEqual(_ left: String, _ right: String) -> Bool {
        areEqual(Array(left.utf8), Array(right.utf8))
    }
}

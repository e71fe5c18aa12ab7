import COpenSSL

/// OpenSSL's random generator, for ephemeral keys and IVs; everything repeatable comes from the tenant's seed instead.
package enum SecureRandom {
    /// - Throws: ``CryptoError`` when the generator has no entropy.
    package static func bytes(_ count: Int) throws(CryptoError) -> [UInt8] {
        guard count > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: count)
        try OpenSSLErrors.check("RAND_bytes") { RAND_bytes(&bytes, Int32(count)) }
        return bytes
    }
}

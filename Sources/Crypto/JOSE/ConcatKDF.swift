/// The key derivation of ECDH-ES (RFC 7518, section 4.6.2): one round of the Concat KDF of NIST SP 800-56A.
enum ConcatKDF {
    /// - Parameters:
    ///   - algorithm: with direct key agreement the value of `enc`.
    ///   - bits: length of the key, at most 256.
    static func key(
        secret: SecretBytes,
        algorithm: String,
        apu: [UInt8],
        apv: [UInt8],
        bits: Int
    ) -> SecretBytes {
        let information = prefixed(Array(algorithm.utf8)) + prefixed(apu) + prefixed(apv) + bigEndian(bits)
        let digest = KeyDerivation.sha256(secret: secret, information: information)
        return SecretBytes(digest.bytes.prefix(bits / 8))
    }

    private static func prefixed(_ bytes: [UInt8]) -> [UInt8] { bigEndian(bytes.count) + bytes }

    private static func bigEndian(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}

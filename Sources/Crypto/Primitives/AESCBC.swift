/// AES in Cipher Block Chaining mode (NIST SP 800-38A) with PKCS#7 padding; the key's length chooses 128, 192 or 256.
package enum AESCBC {
    /// Length of a block and of the IV in bytes.
    package static let blockLength = 16

    /// - Throws: ``CryptoError`` for a key or IV of a length that AES does not have.
    package static func encrypt(_ plaintext: [UInt8], key: SecretBytes, iv: [UInt8]) throws(CryptoError) -> [UInt8] {
        let context = try CipherContext(try cipher(for: key), .encrypt, key: key, iv: iv)
        guard let encrypted = try plaintext.transformed(by: context) else { throw CryptoError("AES-CBC") }
        return encrypted.bytes
    }

    /// The plaintext, or nil when there is no whole number of blocks or the padding is wrong.
    ///
    /// - Throws: ``CryptoError`` for a key or IV of a length that AES does not have.
    package static func decrypt(_ encrypted: [UInt8], key: SecretBytes, iv: [UInt8]) throws(CryptoError) -> SecretBytes?
    {
        let context = try CipherContext(try cipher(for: key), .decrypt, key: key, iv: iv)
        return try encrypted.transformed(by: context)
    }

    private static func cipher(for key: SecretBytes) throws(CryptoError) -> OpaquePointer {
        switch key.count {
        case 16: Algorithms.aes128CBC
        case 24: Algorithms.aes192CBC
        case 32: Algorithms.aes256CBC
        default: throw CryptoError("AES key length")
        }
    }
}

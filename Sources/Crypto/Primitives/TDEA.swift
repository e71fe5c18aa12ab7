/// Triple DES with a double-length key (K1, K2, K1) in CBC mode without padding, as card keys still use it.
package enum TDEA {
    /// - Parameters:
    ///   - plaintext: whole blocks of 8 bytes.
    ///   - key: 16 bytes, K1 then K2.
    ///   - iv: 8 bytes; the profiles here say zero.
    /// - Throws: ``CryptoError`` for other lengths.
    package static func encrypt(_ plaintext: [UInt8], key: SecretBytes, iv: [UInt8]) throws(CryptoError) -> [UInt8] {
        let context = try CipherContext(Algorithms.tdea2CBC, .encrypt, key: key, iv: iv, pads: false)
        guard let encrypted = try plaintext.transformed(by: context) else { throw CryptoError("TDEA block length") }
        return encrypted.bytes
    }

    /// The plaintext, or nil when `encrypted` is not whole blocks.
    ///
    /// - Throws: ``CryptoError`` for a key other than 16 or an IV other than 8 bytes.
    package static func decrypt(_ encrypted: [UInt8], key: SecretBytes, iv: [UInt8]) throws(CryptoError) -> SecretBytes?
    {
        let context = try CipherContext(Algorithms.tdea2CBC, .decrypt, key: key, iv: iv, pads: false)
        return try encrypted.transformed(by: context)
    }
}

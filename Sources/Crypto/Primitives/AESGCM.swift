import COpenSSL

/// AES-256 in Galois/Counter Mode (NIST SP 800-38D) with a tag of 16 bytes and an IV of any length.
package enum AESGCM {
    /// Length of the tag in bytes.
    package static let tagLength = 16

    /// The ciphertext followed by the tag.
    ///
    /// - Parameter key: 32 bytes.
    /// - Throws: ``CryptoError`` for a key of another length or an empty IV.
    package static func seal(
        _ plaintext: [UInt8],
        key: SecretBytes,
        iv: [UInt8],
        authenticating data: [UInt8] = []
    ) throws(CryptoError) -> [UInt8] {
        let context = try CipherContext(Algorithms.aes256GCM, .encrypt, key: key, iv: iv)
        try context.authenticate(data)
        let sealed = try plaintext.transformed(by: context)
        guard let sealed else { throw CryptoError("AES-GCM") }
        return sealed.bytes + (try context.tag(tagLength))
    }

    /// The plaintext, or nil when the tag does not fit. Nothing of it is given out before the tag is checked.
    ///
    /// - Throws: ``CryptoError`` for a key of another length or an empty IV.
    package static func open(
        _ sealed: [UInt8],
        key: SecretBytes,
        iv: [UInt8],
        authenticating data: [UInt8] = []
    ) throws(CryptoError) -> SecretBytes? {
        guard sealed.count >= tagLength else { return nil }
        let context = try CipherContext(Algorithms.aes256GCM, .decrypt, key: key, iv: iv)
        try context.authenticate(data)
        try context.expect(tag: Array(sealed.suffix(tagLength)))
        return try Array(sealed.dropLast(tagLength)).transformed(by: context)
    }

    /// The same with the tag apart, which may be shortened to 12 bytes; the key's length chooses 128, 192 or 256.
    ///
    /// - Parameter iv: 1 to 128 bytes.
    /// - Throws: ``CryptoError`` for a key, IV or tag of a length that does not exist.
    package static func open(
        _ encrypted: [UInt8],
        tag: [UInt8],
        key: SecretBytes,
        iv: [UInt8],
        authenticating data: [UInt8]
    ) throws(CryptoError) -> SecretBytes? {
        guard (12...tagLength).contains(tag.count) else { throw CryptoError("GCM tag length") }
        let context = try CipherContext(try cipher(for: key), .decrypt, key: key, iv: iv)
        try context.authenticate(data)
        try context.expect(tag: tag)
        return try encrypted.transformed(by: context)
    }

    private static func cipher(for key: SecretBytes) throws(CryptoError) -> OpaquePointer {
        switch key.count {
        case 16: EVP_aes_128_gcm()
        case 24: EVP_aes_192_gcm()
        case 32: Algorithms.aes256GCM
        default: throw CryptoError("AES key length")
        }
    }
}

extension [UInt8] {
    /// What `context` makes of the bytes; nil when the end does not fit.
    func transformed(by context: borrowing CipherContext) throws(CryptoError) -> SecretBytes? {
        var fits = true
        let output = try SecretBytes(capacity: count + 16) { buffer throws(CryptoError) -> Int in
            let written = try context.run(self, into: buffer)
            fits = written != nil
            return written ?? 0
        }
        return fits ? output : nil
    }
}

import COpenSSL

/// The parameters of RSAES-OAEP (RFC 8017, section 7.1).
package struct OAEPParameters: Hashable, Sendable, CustomStringConvertible {
    /// The hash of the label.
    package let hash: Hash
    /// The hash inside MGF1.
    package let maskHash: Hash
    /// Empty in every profile here.
    package let label: [UInt8]

    /// A pair of hashes and a label.
    package init(hash: Hash, maskHash: Hash, label: [UInt8] = []) {
        self.hash = hash
        self.maskHash = maskHash
        self.label = label
    }

    /// SHA-256, MGF1 with SHA-256, no label: the pair that the payloads here must use.
    package static let sha256 = OAEPParameters(hash: .sha256, maskHash: .sha256)

    /// The pair in words.
    package var description: String {
        "\(hash.rawValue) with MGF1-\(maskHash.rawValue)"
            + (label.isEmpty ? "" : " and a label of \(label.count) bytes")
    }

    /// Sets padding and parameters on a context that was initialised for encryption or decryption.
    fileprivate func configure(_ context: borrowing KeyContext) throws(CryptoError) {
        let raw = context.raw
        try OpenSSLErrors.check("EVP_PKEY_CTX_set_rsa_padding") {
            EVP_PKEY_CTX_set_rsa_padding(raw, RSA_PKCS1_OAEP_PADDING)
        }
        try OpenSSLErrors.check("EVP_PKEY_CTX_set_rsa_oaep_md") { EVP_PKEY_CTX_set_rsa_oaep_md(raw, hash.raw) }
        try OpenSSLErrors.check("EVP_PKEY_CTX_set_rsa_mgf1_md") { EVP_PKEY_CTX_set_rsa_mgf1_md(raw, maskHash.raw) }
        guard !label.isEmpty else { return }
        let copy = try OpenSSLErrors.create("OPENSSL_memdup") { shim_OPENSSL_memdup(label, label.count) }
        do {
            // On success the context owns the copy.
            try OpenSSLErrors.check("EVP_PKEY_CTX_set0_rsa_oaep_label") {
                EVP_PKEY_CTX_set0_rsa_oaep_label(raw, copy, Int32(label.count))
            }
        } catch {
            shim_OPENSSL_free(copy)
            throw error
        }
    }
}

extension PublicKey {
    /// RSAES-OAEP of a short message.
    ///
    /// - Throws: ``CryptoError`` for a key that is not RSA or a message that is too long.
    package func encryptOAEP(_ message: SecretBytes, _ parameters: OAEPParameters) throws(CryptoError) -> [UInt8] {
        try encryptRSA(message) { context throws(CryptoError) in try parameters.configure(context) }
    }

    /// RSAES-PKCS1-v1_5, which only TSH's own messages to a TSP use.
    package func encryptPKCS1(_ message: SecretBytes) throws(CryptoError) -> [UInt8] {
        try encryptRSA(message) { context throws(CryptoError) in
            let raw = context.raw
            try OpenSSLErrors.check("EVP_PKEY_CTX_set_rsa_padding") {
                EVP_PKEY_CTX_set_rsa_padding(raw, RSA_PKCS1_PADDING)
            }
        }
    }

    private func encryptRSA(
        _ message: SecretBytes,
        _ configure: (borrowing KeyContext) throws(CryptoError) -> Void
    ) throws(CryptoError) -> [UInt8] {
        guard kind == .rsa else { throw CryptoError("encrypting with a \(kind.rawValue) key") }
        let context = try KeyContext(for: handle)
        let raw = context.raw
        try OpenSSLErrors.check("EVP_PKEY_encrypt_init") { EVP_PKEY_encrypt_init(raw) }
        try configure(context)
        var encrypted = [UInt8](repeating: 0, count: (bits + 7) / 8)
        var count = encrypted.count
        try OpenSSLErrors.check("EVP_PKEY_encrypt") {
            message.withUnsafeBytes { message in
                let start = message.assumingMemoryBound(to: UInt8.self).baseAddress
                return EVP_PKEY_encrypt(raw, &encrypted, &count, start, message.count)
            }
        }
        return Array(encrypted.prefix(count))
    }
}

extension PrivateKey {
    /// The message, or nil when it was not encrypted with this key and these parameters.
    package func decryptOAEP(_ encrypted: [UInt8], _ parameters: OAEPParameters) throws(CryptoError) -> SecretBytes? {
        try decryptRSA(encrypted) { context throws(CryptoError) in try parameters.configure(context) }
    }

    /// The message of RSAES-PKCS1-v1_5, for a diagnosis and for TSH's own messages to a TSP.
    ///
    /// Newer OpenSSL answers random bytes instead of nil for a wrong padding; the caller checks the length.
    package func decryptPKCS1(_ encrypted: [UInt8]) throws(CryptoError) -> SecretBytes? {
        try decryptRSA(encrypted) { context throws(CryptoError) in
            let raw = context.raw
            try OpenSSLErrors.check("EVP_PKEY_CTX_set_rsa_padding") {
                EVP_PKEY_CTX_set_rsa_padding(raw, RSA_PKCS1_PADDING)
            }
        }
    }

    private func decryptRSA(
        _ encrypted: [UInt8],
        _ configure: (borrowing KeyContext) throws(CryptoError) -> Void
    ) throws(CryptoError) -> SecretBytes? {
        guard kind == .rsa else { throw CryptoError("decrypting with a \(kind.rawValue) key") }
        WorkMeter.notePrivateKey()
        let context = try KeyContext(for: handle)
        let raw = context.raw
        try OpenSSLErrors.check("EVP_PKEY_decrypt_init") { EVP_PKEY_decrypt_init(raw) }
        try configure(context)
        var opened = true
        let message = SecretBytes(capacity: (publicKey.bits + 7) / 8) { buffer in
            var count = buffer.count
            let target = buffer.assumingMemoryBound(to: UInt8.self).baseAddress
            OpenSSLErrors.clear()
            opened = EVP_PKEY_decrypt(raw, target, &count, encrypted, encrypted.count) == 1
            OpenSSLErrors.clear()
            return opened ? count : 0
        }
        return opened ? message : nil
    }
}

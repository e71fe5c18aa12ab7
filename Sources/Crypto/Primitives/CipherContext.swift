import COpenSSL

/// One run of a cipher. Owns its `EVP_CIPHER_CTX` and frees it; used on one thread.
struct CipherContext: ~Copyable {
    private let raw: OpaquePointer
    private let block: Int

    /// Direction of the run.
    enum Direction: Int32 {
        case decrypt = 0
        case encrypt = 1
    }

    /// - Parameter cipher: a fetched algorithm, borrowed.
    /// - Throws: ``CryptoError`` when key or IV do not fit the cipher.
    init(
        _ cipher: OpaquePointer,
        _ direction: Direction,
        key: SecretBytes,
        iv: [UInt8],
        pads: Bool = true
    ) throws(CryptoError) {
        let raw = try OpenSSLErrors.create("EVP_CIPHER_CTX_new") { EVP_CIPHER_CTX_new() }
        do {
            try Self.prepare(raw, cipher, direction, key: key, iv: iv)
        } catch {
            EVP_CIPHER_CTX_free(raw)
            throw error
        }
        EVP_CIPHER_CTX_set_padding(raw, pads ? 1 : 0)
        self.raw = raw
        block = Int(EVP_CIPHER_get_block_size(cipher))
    }

    private static func prepare(
        _ raw: OpaquePointer,
        _ cipher: OpaquePointer,
        _ direction: Direction,
        key: SecretBytes,
        iv: [UInt8]
    ) throws(CryptoError) {
        guard key.count == Int(EVP_CIPHER_get_key_length(cipher)), !iv.isEmpty else {
            throw CryptoError("key or IV length")
        }
        let isAEAD = EVP_CIPHER_get_flags(cipher) & UInt(EVP_CIPH_FLAG_AEAD_CIPHER) != 0
        if !isAEAD, iv.count != Int(EVP_CIPHER_get_iv_length(cipher)) { throw CryptoError("IV length") }
        try OpenSSLErrors.check("EVP_CipherInit_ex2") {
            EVP_CipherInit_ex2(raw, cipher, nil, nil, direction.rawValue, nil)
        }
        if isAEAD {
            try OpenSSLErrors.check("EVP_CTRL_AEAD_SET_IVLEN") {
                EVP_CIPHER_CTX_ctrl(raw, EVP_CTRL_AEAD_SET_IVLEN, Int32(iv.count), nil)
            }
        }
        try OpenSSLErrors.check("EVP_CipherInit_ex2") {
            key.withUnsafeBytes { key in
                EVP_CipherInit_ex2(raw, nil, key.assumingMemoryBound(to: UInt8.self).baseAddress, iv, -1, nil)
            }
        }
    }

    deinit { EVP_CIPHER_CTX_free(raw) }

    /// Authenticates `bytes` without encrypting them. Before any ``run(_:into:)``.
    func authenticate(_ bytes: [UInt8]) throws(CryptoError) {
        guard !bytes.isEmpty else { return }
        var count: Int32 = 0
        try OpenSSLErrors.check("EVP_CipherUpdate") { EVP_CipherUpdate(raw, nil, &count, bytes, Int32(bytes.count)) }
    }

    /// Writes the result for all of `input` to `output`, which has room for one block more than the input.
    ///
    /// - Returns: the number of bytes written; nil when the end does not fit: wrong tag, wrong padding, half a block.
    func run(_ input: [UInt8], into output: UnsafeMutableRawBufferPointer) throws(CryptoError) -> Int? {
        guard output.count >= input.count + block, let base = output.baseAddress else {
            throw CryptoError("output size")
        }
        let target = base.assumingMemoryBound(to: UInt8.self)
        var written: Int32 = 0
        if !input.isEmpty {
            try OpenSSLErrors.check("EVP_CipherUpdate") {
                EVP_CipherUpdate(raw, target, &written, input, Int32(input.count))
            }
        }
        var last: Int32 = 0
        OpenSSLErrors.clear()
        guard EVP_CipherFinal_ex(raw, target + Int(written), &last) == 1 else {
            OpenSSLErrors.clear()
            return nil
        }
        return Int(written + last)
    }

    /// The tag after encryption.
    func tag(_ count: Int) throws(CryptoError) -> [UInt8] {
        var tag = [UInt8](repeating: 0, count: count)
        try OpenSSLErrors.check("EVP_CTRL_AEAD_GET_TAG") {
            EVP_CIPHER_CTX_ctrl(raw, EVP_CTRL_AEAD_GET_TAG, Int32(count), &tag)
        }
        return tag
    }

    /// The tag to be met, before decryption ends.
    func expect(tag: [UInt8]) throws(CryptoError) {
        var tag = tag
        try OpenSSLErrors.check("EVP_CTRL_AEAD_SET_TAG") {
            EVP_CIPHER_CTX_ctrl(raw, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag)
        }
    }
}

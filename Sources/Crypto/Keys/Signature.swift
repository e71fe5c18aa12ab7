import COpenSSL

/// A way to sign, with its hash.
package enum SignatureAlgorithm: Hashable, Sendable {
    /// RSASSA-PKCS1-v1_5.
    case rsaPKCS1(Hash)
    /// RSASSA-PSS with MGF1 over the same hash and a salt of its length.
    case rsaPSS(Hash)
    /// ECDSA; the signature is DER.
    case ecdsa(Hash)
    case ed25519

    /// Whether a key of `kind` can be used with it.
    package func fits(_ kind: KeyKind) -> Bool {
        switch (self, kind) {
        case (.rsaPKCS1, .rsa), (.rsaPSS, .rsa), (.ed25519, .ed25519): true
        case (.ecdsa, .p256), (.ecdsa, .p384), (.ecdsa, .p521): true
        default: false
        }
    }

    private var hash: Hash? {
        switch self {
        case .rsaPKCS1(let hash), .rsaPSS(let hash), .ecdsa(let hash): hash
        case .ed25519: nil
        }
    }

    /// Starts signing or verifying on `context`.
    fileprivate func begin(
        _ context: OpaquePointer,
        _ key: KeyHandle,
        _ initialise: (
            OpaquePointer?, UnsafeMutablePointer<OpaquePointer?>?, OpaquePointer?, OpaquePointer?, OpaquePointer?
        )
            -> Int32
    ) throws(CryptoError) {
        // The key context belongs to the digest context.
        var keyContext: OpaquePointer?
        try OpenSSLErrors.check("EVP_DigestSignInit") { initialise(context, &keyContext, hash?.raw, nil, key.raw) }
        guard case .rsaPSS = self else { return }
        try OpenSSLErrors.check("EVP_PKEY_CTX_set_rsa_padding") {
            EVP_PKEY_CTX_set_rsa_padding(keyContext, RSA_PKCS1_PSS_PADDING)
        }
        try OpenSSLErrors.check("EVP_PKEY_CTX_set_rsa_pss_saltlen") {
            EVP_PKEY_CTX_set_rsa_pss_saltlen(keyContext, RSA_PSS_SALTLEN_DIGEST)
        }
    }
}

extension PrivateKey {
    /// - Throws: ``CryptoError`` when the algorithm does not fit the key.
    package func sign(_ message: [UInt8], _ algorithm: SignatureAlgorithm) throws(CryptoError) -> [UInt8] {
        guard algorithm.fits(kind) else { throw CryptoError("signing with a \(kind.rawValue) key") }
        let context = try OpenSSLErrors.create("EVP_MD_CTX_new") { EVP_MD_CTX_new() }
        defer { EVP_MD_CTX_free(context) }
        try algorithm.begin(context, handle, EVP_DigestSignInit)
        var count = 0
        try OpenSSLErrors.check("EVP_DigestSign") { EVP_DigestSign(context, nil, &count, message, message.count) }
        var signature = [UInt8](repeating: 0, count: count)
        try OpenSSLErrors.check("EVP_DigestSign") {
            EVP_DigestSign(context, &signature, &count, message, message.count)
        }
        return Array(signature.prefix(count))
    }
}

extension PublicKey {
    /// Whether `signature` is one of `message` by this key. An algorithm that does not fit the key gives false.
    package func verifies(_ signature: [UInt8], of message: [UInt8], _ algorithm: SignatureAlgorithm) -> Bool {
        guard algorithm.fits(kind), let context = EVP_MD_CTX_new() else { return false }
        defer {
            EVP_MD_CTX_free(context)
            OpenSSLErrors.clear()
        }
        guard (try? algorithm.begin(context, handle, EVP_DigestVerifyInit)) != nil else { return false }
        return EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }
}

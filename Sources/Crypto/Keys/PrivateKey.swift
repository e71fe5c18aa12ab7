import COpenSSL
import Wire

/// A private key with its public half. Its text forms never appear in a description.
package struct PrivateKey: Sendable {
    let handle: KeyHandle
    /// The public half.
    package let publicKey: PublicKey

    /// RSA, or the curve.
    package var kind: KeyKind { publicKey.kind }

    private init(takingOwnershipOf raw: OpaquePointer) throws(KeyError) {
        handle = KeyHandle(takingOwnershipOf: raw)
        var bytes: UnsafeMutablePointer<UInt8>?
        OpenSSLErrors.clear()
        let count = i2d_PUBKEY(raw, &bytes)
        defer { shim_OPENSSL_free(bytes) }
        OpenSSLErrors.clear()
        guard count > 0, let bytes else { throw KeyError(.unusable) }
        let information = try SubjectPublicKeyInfo(der: Array(UnsafeBufferPointer(start: bytes, count: Int(count))))
        publicKey = PublicKey(information, der: information.der, sharing: handle)
    }

    /// From PKCS#8, PKCS#1 or SEC 1 DER.
    package init(der: [UInt8]) throws(KeyError) {
        self = try ParsedCache.privateKeys.value(for: der) { () throws(KeyError) in try PrivateKey(uncached: der) }
    }

    private init(uncached der: [UInt8]) throws(KeyError) {
        if der.starts(with: Array("-----BEGIN".utf8)) { throw KeyError(.pemInsteadOfDER) }
        if let raw = P256KeyPair.read(pkcs8: der) {
            try self.init(takingOwnershipOfP256: raw)
            return
        }
        OpenSSLErrors.clear()
        var used = 0
        let raw = der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            guard let start = buffer.baseAddress else { return nil }
            var position: UnsafePointer<UInt8>? = start
            let raw = d2i_AutoPrivateKey(nil, &position, buffer.count)
            used = position.map { $0 - start } ?? 0
            return raw
        }
        OpenSSLErrors.clear()
        guard let raw else {
            if (try? SubjectPublicKeyInfo(der: der)) != nil { throw KeyError(.publicGiven) }
            throw KeyError(.notDER)
        }
        guard used == der.count else {
            EVP_PKEY_free(raw)
            throw KeyError(.notDER, "\(der.count - used) bytes after the key")
        }
        try self.init(takingOwnershipOf: raw)
    }

    /// From the first block of PEM text: `PRIVATE KEY`, `RSA PRIVATE KEY` or `EC PRIVATE KEY`.
    package init(pem: String) throws(KeyError) {
        self = try ParsedCache.privateKeyTexts.value(for: Array(pem.utf8)) { () throws(KeyError) in
            try PrivateKey(uncachedPEM: pem)
        }
    }

    private init(uncachedPEM pem: String) throws(KeyError) {
        let block = try PEM.firstKeyBlock(in: pem)
        switch block.label {
        case "PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY":
            if pem.contains("Proc-Type: 4,ENCRYPTED") { throw KeyError(.encrypted) }
            try self.init(der: block.bytes)
        case "ENCRYPTED PRIVATE KEY": throw KeyError(.encrypted)
        case "PUBLIC KEY", "RSA PUBLIC KEY", "CERTIFICATE": throw KeyError(.publicGiven, block.label)
        default: throw KeyError(.pemLabel, String(block.label.prefix(40)))
        }
    }

    /// From the secret number of a P-256 key, 32 bytes; the public point is computed.
    package init(p256Scalar scalar: SecretBytes) throws(KeyError) {
        var inner = DER.sequence(DER.integer(1), DER.octetString(scalar.bytes))
        defer { inner.wipe() }
        let algorithm = DER.sequence(DER.oid(.ecPublicKey), DER.oid(.p256))
        try self.init(der: DER.sequence(DER.integer(0), algorithm, DER.octetString(inner)))
    }

    /// A new RSA key; hundreds of milliseconds for 4096 bits, so on the crypto lane.
    package static func generateRSA(bits: Int) throws -> PrivateKey {
        try PrivateKey(takingOwnershipOf: generate("RSA") { EVP_PKEY_CTX_set_rsa_keygen_bits($0, Int32(bits)) })
    }

    /// A new P-256 key.
    package static func generateP256() throws -> PrivateKey {
        let raw = try generate("EC") { EVP_PKEY_CTX_set_ec_paramgen_curve_nid($0, NID_X9_62_prime256v1) }
        return try PrivateKey(takingOwnershipOfP256: raw)
    }

    /// Takes the public point directly: OpenSSL's encoder would take longer than the generation.
    private init(takingOwnershipOfP256 raw: OpaquePointer) throws(KeyError) {
        handle = KeyHandle(takingOwnershipOf: raw)
        var bytes: UnsafeMutablePointer<UInt8>?
        OpenSSLErrors.clear()
        let count = EVP_PKEY_get1_encoded_public_key(raw, &bytes)
        defer { shim_OPENSSL_free(bytes) }
        OpenSSLErrors.clear()
        guard count == 65, let bytes else { throw KeyError(.unusable) }
        let point = Array(UnsafeBufferPointer(start: bytes, count: count))
        let material = SubjectPublicKeyInfo.Material.elliptic(x: Array(point[1...32]), y: Array(point[33...]))
        let information = try SubjectPublicKeyInfo(.p256, material)
        publicKey = PublicKey(information, der: information.der, sharing: handle)
    }

    /// The caller owns the key.
    private static func generate(
        _ name: String,
        _ configure: (OpaquePointer) -> Int32
    ) throws(CryptoError) -> OpaquePointer {
        let context = try KeyContext(generating: name)
        let raw = context.raw
        try OpenSSLErrors.check("EVP_PKEY_keygen_init") { EVP_PKEY_keygen_init(raw) }
        try OpenSSLErrors.check("EVP_PKEY_CTX_set_params") { configure(raw) }
        var key: OpaquePointer?
        try OpenSSLErrors.check("EVP_PKEY_generate") { EVP_PKEY_generate(raw, &key) }
        guard let key else { throw CryptoError("EVP_PKEY_generate") }
        return key
    }

    /// PKCS#8.
    package var der: SecretBytes {
        get throws(CryptoError) {
            let raw = handle.raw
            if kind == .p256, let point = publicKey.uncompressedPoint { return try P256KeyPair.pkcs8(raw, point) }
            let form = try OpenSSLErrors.create("EVP_PKEY2PKCS8") { EVP_PKEY2PKCS8(raw) }
            defer { PKCS8_PRIV_KEY_INFO_free(form) }
            var bytes: UnsafeMutablePointer<UInt8>?
            OpenSSLErrors.clear()
            let count = i2d_PKCS8_PRIV_KEY_INFO(form, &bytes)
            guard count > 0, let bytes else { throw CryptoError("i2d_PKCS8_PRIV_KEY_INFO") }
            defer {
                OPENSSL_cleanse(bytes, Int(count))
                shim_OPENSSL_free(bytes)
            }
            return SecretBytes(UnsafeBufferPointer(start: bytes, count: Int(count)))
        }
    }

    /// `PRIVATE KEY` text, for a file of the caller's own.
    package var pem: String {
        get throws(CryptoError) { PEM(label: "PRIVATE KEY", bytes: try der.bytes).text }
    }
}

extension PrivateKey: CustomStringConvertible, CustomReflectable {
    /// The thumbprint of the public half.
    package var description: String { "private key of \(publicKey.thumbprint)" }
    /// Nothing of the key.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

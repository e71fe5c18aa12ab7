import COpenSSL
package import Wire

/// A point of P-256 that somebody sent as `04`‖X‖Y, proven to be on the curve.
package struct P256Point: Sendable {
    /// 65 bytes.
    package let bytes: [UInt8]
    let handle: KeyHandle

    /// `name` is the name of the check, for example `ephemeralPublicKey.form`.
    package static func check(_ bytes: [UInt8], name: String = "ephemeralPublicKey.form") -> Checked<P256Point> {
        if let fault = formFault(of: bytes) {
            let evidence = "\(bytes.count) bytes, first byte \(Hex.encode(bytes.prefix(1)))"
            return Checked(value: nil, checks: [.failed(name, fault, evidence: evidence)])
        }
        guard let point = P256Point(uncompressed: bytes) else {
            return Checked(value: nil, checks: [.failed(name, EphemeralKeyFault.notOnCurve)])
        }
        return Checked(value: point, checks: [.passed(name, evidence: "65 bytes, on P-256")])
    }

    private static func formFault(of bytes: [UInt8]) -> EphemeralKeyFault? {
        switch (bytes.count, bytes.first) {
        case (0, _): .empty
        case (1, 0): .infinity
        case (65, 4): bytes.dropFirst().allSatisfy { $0 == 0 } ? .infinity : nil
        case (65, 6), (65, 7): .hybrid
        case (65, _): .prefix
        case (64, _): .raw64
        case (33, 2), (33, 3): .compressed
        case (91, 0x30), (59, 0x30): .spki
        case (_, 0x2D) where bytes.starts(with: Array("-----BEGIN".utf8)): .pem
        case (97, 4), (133, 4): .otherCurve
        default: .length
        }
    }

    /// The point of a key that was read before; nil when the key is of another kind.
    package init?(_ key: PublicKey) {
        guard key.kind == .p256, let bytes = key.uncompressedPoint else { return nil }
        self.bytes = bytes
        handle = key.handle
    }

    private init?(uncompressed bytes: [UInt8]) {
        OpenSSLErrors.clear()
        defer { OpenSSLErrors.clear() }
        guard let parameters = P256Point.parameters, let raw = EVP_PKEY_new() else { return nil }
        let handle = KeyHandle(takingOwnershipOf: raw)
        guard EVP_PKEY_copy_parameters(raw, parameters.raw) == 1,
            EVP_PKEY_set1_encoded_public_key(raw, bytes, bytes.count) == 1
        else { return nil }
        self.bytes = bytes
        self.handle = handle
    }

    /// The domain parameters, made once.
    private static let parameters: KeyHandle? = {
        guard let context = try? KeyContext(generating: "EC"), EVP_PKEY_paramgen_init(context.raw) == 1,
            EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context.raw, NID_X9_62_prime256v1) == 1
        else { return nil }
        var raw: OpaquePointer?
        guard EVP_PKEY_paramgen(context.raw, &raw) == 1, let raw else { return nil }
        return KeyHandle(takingOwnershipOf: raw)
    }()
}

extension PrivateKey {
    /// The x coordinate of the product of this P-256 key and `point`, 32 bytes.
    ///
    /// - Throws: ``CryptoError`` when this key is not on P-256.
    package func sharedSecret(with point: P256Point) throws(CryptoError) -> SecretBytes {
        guard kind == .p256 else { throw CryptoError("key agreement with a \(kind.rawValue) key") }
        WorkMeter.notePrivateKey()
        let context = try KeyContext(for: handle)
        let raw = context.raw
        try OpenSSLErrors.check("EVP_PKEY_derive_init") { EVP_PKEY_derive_init(raw) }
        // Not validated again: the point is on the curve, and P-256 has no subgroup to fall into.
        try OpenSSLErrors.check("EVP_PKEY_derive_set_peer_ex") {
            EVP_PKEY_derive_set_peer_ex(raw, point.handle.raw, 0)
        }
        return try SecretBytes(capacity: 32) { buffer throws(CryptoError) in
            var count = buffer.count
            try OpenSSLErrors.check("EVP_PKEY_derive") {
                EVP_PKEY_derive(raw, buffer.assumingMemoryBound(to: UInt8.self).baseAddress, &count)
            }
            return count
        }
    }
}

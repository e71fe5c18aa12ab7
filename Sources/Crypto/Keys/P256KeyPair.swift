import COpenSSL
import Wire

/// Reads and writes P-256 key pairs without OpenSSL's decoder and encoder: on 3.0 each takes nearly as long as an RSA-2048
/// signature.
enum P256KeyPair {
    /// The key of a PKCS#8 document that holds scalar and point, which the caller then owns; nil for any other.
    ///
    /// The point is proven to be on the curve. That it fits the scalar is the author's word, as with OpenSSL's decoder.
    static func read(pkcs8 der: [UInt8]) -> OpaquePointer? {
        guard var (scalar, point) = try? parts(der) else { return nil }
        defer { scalar.wipe() }
        OpenSSLErrors.clear()
        defer { OpenSSLErrors.clear() }
        guard let context = try? KeyContext(generating: "EC"), EVP_PKEY_fromdata_init(context.raw) == 1 else {
            return nil
        }
        // With the zero at its end, which OpenSSL reads although the length is given.
        var name = Array("prime256v1\0".utf8)
        var raw: OpaquePointer?
        let status = name.withUnsafeMutableBytes { name in
            scalar.withUnsafeMutableBytes { scalar in
                point.withUnsafeMutableBytes { point in
                    // Each lives until the call returns: the names of the parameters are part of the program.
                    var parameters = [
                        OSSL_PARAM_construct_utf8_string(
                            text("group"),
                            name.baseAddress?.assumingMemoryBound(to: CChar.self),
                            name.count - 1
                        ),
                        OSSL_PARAM_construct_BN(
                            text("priv"),
                            scalar.baseAddress?.assumingMemoryBound(to: UInt8.self),
                            scalar.count
                        ),
                        OSSL_PARAM_construct_octet_string(text("pub"), point.baseAddress, point.count),
                        OSSL_PARAM_construct_end(),
                    ]
                    return EVP_PKEY_fromdata(context.raw, &raw, shim_EVP_PKEY_KEYPAIR, &parameters)
                }
            }
        }
        return status == 1 ? raw : nil
    }

    /// The PKCS#8 document of a key with this point, byte for byte as OpenSSL writes it.
    static func pkcs8(_ raw: OpaquePointer, _ point: [UInt8]) throws(CryptoError) -> SecretBytes {
        var number: OpaquePointer?
        try OpenSSLErrors.check("EVP_PKEY_get_bn_param") { EVP_PKEY_get_bn_param(raw, text("priv"), &number) }
        defer { BN_clear_free(number) }
        var scalar = [UInt8](repeating: 0, count: 32)
        defer { scalar.wipe() }
        guard BN_bn2binpad(number, &scalar, 32) == 32 else { throw CryptoError("BN_bn2binpad") }
        var inner = DER.sequence(DER.integer(1), DER.octetString(scalar), DER.context(1, DER.bitString(point)))
        defer { inner.wipe() }
        let algorithm = DER.sequence(DER.oid(.ecPublicKey), DER.oid(.p256))
        var document = DER.sequence(DER.integer(0), algorithm, DER.octetString(inner))
        defer { document.wipe() }
        return SecretBytes(document)
    }

    private static func text(_ text: StaticString) -> UnsafePointer<CChar> {
        UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
    }

    /// The scalar, least significant byte first as OpenSSL's parameters have it, and the point (RFC 5958, RFC 5915).
    private static func parts(_ der: [UInt8]) throws(BERFault) -> (scalar: [UInt8], point: [UInt8])? {
        var outer = try BERReader.single(.sequence, in: der, rules: .distinguished).children()
        guard try outer.next(.integer).integer() == 0 else { return nil }
        let algorithm = try AlgorithmIdentifier(outer.next(.sequence))
        guard algorithm.identifier == .ecPublicKey, algorithm.parameterIdentifier == .p256 else { return nil }
        var inner = try outer.next(.octetString).octets()
        defer { inner.wipe() }
        var fields = try BERReader.single(.sequence, in: inner, rules: .distinguished).children()
        guard try fields.next(.integer).integer() == 1 else { return nil }
        let scalar = try fields.next(.octetString).octets()
        _ = try fields.nextIfPresent(.context(0))
        let point = try fields.nextIfPresent(.context(1))?.child(.bitString).bitStringOctets()
        guard scalar.count == 32, let point, point.count == 65, point[0] == 4 else { return nil }
        return (scalar.reversed(), point)
    }
}

package import Wire

/// Makes compact JWE with ECDH-ES and A256GCM, as an issuer's backend does.
package enum JWESealer {
    /// Encrypts to a P-256 key.
    ///
    /// - Parameters:
    ///   - header: members that replace or follow the right ones, `null` removes one; for tests.
    ///   - algorithmID: what goes into the key derivation; the right value is `A256GCM`.
    /// - Throws: ``CryptoError`` when the key is on another curve.
    package static func seal(
        _ plaintext: [UInt8],
        to recipient: PublicKey,
        kid: String,
        apu: [UInt8] = [],
        apv: [UInt8] = [],
        header changes: JSONObject = JSONObject(),
        algorithmID: String = JWEOpener.encryption,
        derivesPartyInfo: Bool = true
    ) throws -> String {
        guard let bytes = recipient.uncompressedPoint, let point = P256Point.check(bytes).value else {
            throw CryptoError("ECDH-ES to a \(recipient.kind.rawValue) key")
        }
        let ephemeral = try PrivateKey.generateP256()
        var header = JSONObject([
            ("alg", .string(JWEOpener.algorithm)), ("enc", .string(JWEOpener.encryption)), ("kid", .string(kid)),
            ("epk", ephemeral.publicKey.jwk),
        ])
        if !apu.isEmpty { header["apu"] = .string(Base64.encode(apu, .url)) }
        if !apv.isEmpty { header["apv"] = .string(Base64.encode(apv, .url)) }
        for (name, value) in changes.members { header[name] = value.isNull ? JSON?.none : value }
        let key = ConcatKDF.key(
            secret: try ephemeral.sharedSecret(with: point),
            algorithm: algorithmID,
            apu: derivesPartyInfo ? apu : [],
            apv: derivesPartyInfo ? apv : [],
            bits: 256
        )
        let protected = Base64.encode(JSON.object(header).bytes, .url)
        let iv = try SecureRandom.bytes(12)
        let sealed = try AESGCM.seal(plaintext, key: key, iv: iv, authenticating: Array(protected.utf8))
        let tag = sealed.suffix(AESGCM.tagLength)
        return [
            protected, "", Base64.encode(iv, .url), Base64.encode(Array(sealed.dropLast(AESGCM.tagLength)), .url),
            Base64.encode(Array(tag), .url),
        ].joined(separator: ".")
    }
}

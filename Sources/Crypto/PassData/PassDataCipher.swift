package import Wire

/// Encrypted pass data and the public half of the key pair made for it.
package struct SealedPassData: Sendable, Equatable {
    /// Ciphertext and tag.
    package let encryptedPassData: [UInt8]
    /// `04`‖X‖Y.
    package let ephemeralPublicKey: [UInt8]

    /// The two members as bytes.
    package init(encryptedPassData: [UInt8], ephemeralPublicKey: [UInt8]) {
        self.encryptedPassData = encryptedPassData
        self.ephemeralPublicKey = ephemeralPublicKey
    }
}

/// ECC_V2: ECDH on P-256, a single-step key derivation, AES-256-GCM with an IV of zeros.
package struct PassDataCipher: Sendable {
    /// The one construction that is made and accepted.
    package let construction: PassDataConstruction

    /// The documented construction unless another is configured.
    package init(construction: PassDataConstruction = .canonical) { self.construction = construction }

    /// Encrypts to `leaf`. Makes a key pair unless `ephemeral` is given, which only test vectors do.
    ///
    /// - Throws: ``CryptoError`` for a leaf that is not on P-256; ``KeyError`` when the new key cannot be read back.
    package func seal(
        _ plaintext: [UInt8],
        to leaf: PublicKey,
        ephemeral: PrivateKey? = nil
    ) throws -> SealedPassData {
        guard let point = P256Point(leaf) else { throw CryptoError("pass data for a \(leaf.kind.rawValue) key") }
        let ephemeral = try ephemeral ?? PrivateKey.generateP256()
        guard let publicPoint = ephemeral.publicKey.uncompressedPoint else { throw CryptoError("ephemeral key") }
        let secret = try ephemeral.sharedSecret(with: point)
        let key = construction.key(secret: secret, ephemeral: publicPoint, leaf: point.bytes)
        var sealed = try AESGCM.seal(plaintext, key: key, iv: construction.iv)
        if construction.tag == .prepended {
            sealed = Array(sealed.suffix(AESGCM.tagLength) + sealed.dropLast(AESGCM.tagLength))
        }
        return SealedPassData(encryptedPassData: sealed, ephemeralPublicKey: publicPoint)
    }

    /// The plaintext, if it opens in the one accepted way; otherwise what was done instead, if that can be found.
    ///
    /// - Parameter alternatives: what a diagnosis may try beside `leafKey`.
    package func open(
        _ sealed: SealedPassData,
        leafKey: PrivateKey,
        alternatives: PassDataAlternatives = PassDataAlternatives()
    ) throws(CryptoError) -> Checked<SecretBytes> {
        let point = P256Point.check(sealed.ephemeralPublicKey)
        var checks = point.checks
        if let fault = formFault(of: sealed.encryptedPassData) {
            let evidence = "\(sealed.encryptedPassData.count) bytes"
            checks.append(.failed("encryptedPassData.form", fault, evidence: evidence))
            return Checked(value: nil, checks: checks)
        }
        guard let point = point.value else { return Checked(value: nil, checks: checks) }
        let diagnosis = PassDataDiagnosis(sealed: sealed, point: point, expected: construction)
        if let plaintext = try diagnosis.open(construction, with: leafKey) {
            checks.append(.passed("encryptedPassData.open", evidence: "\(plaintext.count) bytes"))
            return Checked(value: plaintext, checks: checks)
        }
        checks += try diagnosis.explain(leafKey: leafKey, alternatives)
        return Checked(value: nil, checks: checks)
    }

    private func formFault(of bytes: [UInt8]) -> PassDataFault? {
        if bytes.isEmpty { return .empty }
        // Ciphertext of that length is text by chance less than once in 2^40.
        if bytes.count >= 32, bytes.allSatisfy({ (0x21...0x7E).contains($0) }) { return .encoded }
        return bytes.count <= AESGCM.tagLength ? .short : nil
    }
}

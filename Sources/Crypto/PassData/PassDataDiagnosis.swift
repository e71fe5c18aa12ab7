import Wire

/// What a diagnosis of pass data may try beside the right key and construction.
package struct PassDataAlternatives: Sendable {
    /// Leaf keys of other sessions, each with a name for the evidence.
    package var leafKeys: [(name: String, key: PrivateKey)]
    /// Merchant ids whose hash may have been used as PartyV.
    package var merchantIdentifiers: [String]

    /// What may be tried; nothing by default.
    package init(leafKeys: [(name: String, key: PrivateKey)] = [], merchantIdentifiers: [String] = []) {
        self.leafKeys = leafKeys
        self.merchantIdentifiers = merchantIdentifiers
    }
}

/// Finds out how pass data that did not open was made. Nothing it finds is accepted.
struct PassDataDiagnosis {
    let sealed: SealedPassData
    let point: P256Point
    let expected: PassDataConstruction

    private static let rule = "encryptedPassData.open"

    /// The plaintext, if it was made by `construction` for `key`.
    func open(_ construction: PassDataConstruction, with key: PrivateKey) throws(CryptoError) -> SecretBytes? {
        try open(construction, secret: key.sharedSecret(with: point), leaf: key.publicKey.uncompressedPoint ?? [])
    }

    private func open(
        _ construction: PassDataConstruction,
        secret: SecretBytes,
        leaf: [UInt8]
    ) throws(CryptoError) -> SecretBytes? {
        let key = construction.key(secret: secret, ephemeral: point.bytes, leaf: leaf)
        let bytes = sealed.encryptedPassData
        let tag = AESGCM.tagLength
        let ordered = construction.tag == .appended ? bytes : Array(bytes.dropFirst(tag) + bytes.prefix(tag))
        return try AESGCM.open(ordered, key: key, iv: construction.iv)
    }

    /// Failed checks that name the mistakes; at least one.
    func explain(leafKey: PrivateKey, _ alternatives: PassDataAlternatives) throws(CryptoError) -> [Check] {
        let constructions = Self.known(alternatives.merchantIdentifiers, expected)
        let keys = [(name: "", key: leafKey)] + alternatives.leafKeys.prefix(32)
        for (index, candidate) in keys.enumerated() where candidate.key.kind == .p256 {
            let secret = try candidate.key.sharedSecret(with: point)
            let leaf = candidate.key.publicKey.uncompressedPoint ?? []
            for construction in constructions where try open(construction, secret: secret, leaf: leaf) != nil {
                var checks = construction.deviations(from: expected).map { Check.failed(Self.rule, $0) }
                if index > 0 {
                    let evidence = candidate.name
                    checks.insert(.failed(Self.rule, PassDataFault.leafMismatch, evidence: evidence), at: 0)
                }
                if !checks.isEmpty { return checks }
            }
            if try isWithoutTag(secret, leaf) { return [.failed(Self.rule, PassDataFault.tagMissing)] }
        }
        let evidence = "\(constructions.count) constructions and \(keys.count) leaf key(s) tried"
        return [.failed(Self.rule, PassDataFault.notOpened, evidence: evidence)]
    }

    /// Counter mode is its own inverse, so sealing the ciphertext gives the text when there is no tag to check.
    private func isWithoutTag(_ secret: SecretBytes, _ leaf: [UInt8]) throws(CryptoError) -> Bool {
        let key = expected.key(secret: secret, ephemeral: point.bytes, leaf: leaf)
        var text = try AESGCM.seal(sealed.encryptedPassData, key: key, iv: expected.iv)
        defer { text.wipe() }
        text.removeLast(AESGCM.tagLength)
        return (try? JSON.parse(text))?.object != nil
    }

    /// All combinations of the known mistakes, those with the fewest first.
    static func known(_ merchants: [String], _ expected: PassDataConstruction) -> [PassDataConstruction] {
        var all: [PassDataConstruction] = []
        let parties: [PassDataConstruction.PartyV] =
            [.point, .raw64, .compressed, .empty, .leaf] + merchants.prefix(32).map { .merchant($0) }
        for ivLength in [12, 16] {
            for tag in [PassDataConstruction.Tag.appended, .prepended] {
                for derivation in [PassDataConstruction.Derivation.counterFirst, .secretFirst] {
                    for partyV in parties {
                        for hasLengthByte in [true, false] {
                            all.append(
                                PassDataConstruction(
                                    ivLength: ivLength,
                                    derivation: derivation,
                                    partyV: partyV,
                                    hasLengthByte: hasLengthByte,
                                    tag: tag
                                )
                            )
                        }
                    }
                }
                all.append(PassDataConstruction(ivLength: ivLength, derivation: .none, tag: tag))
            }
        }
        let weighted = all.map { (construction: $0, weight: $0.deviations(from: expected).count) }
        return weighted.sorted { $0.weight < $1.weight }.map(\.construction)
    }
}

/// One way to build encrypted pass data. Only the configured one is accepted; the others are known mistakes.
package struct PassDataConstruction: Hashable, Sendable {
    /// What is hashed as PartyV.
    package enum PartyV: Hashable, Sendable {
        /// `04`‖X‖Y of the ephemeral key.
        case point
        /// X‖Y.
        case raw64
        /// `02` or `03`, X.
        case compressed
        case empty
        /// The leaf's public key.
        case leaf
        /// SHA-256 of a merchant id, as the merchant's payment token has it.
        case merchant(String)
    }

    /// How the key comes from the shared secret.
    package enum Derivation: Hashable, Sendable {
        case counterFirst
        case secretFirst
        /// The shared secret is the key.
        case none
    }

    /// Where the tag stands.
    package enum Tag: Hashable, Sendable {
        case appended
        case prepended
    }

    /// Number of zero bytes.
    package var ivLength: Int
    /// How the key is made.
    package var derivation: Derivation
    /// What stands at the end of the hashed information.
    package var partyV: PartyV
    /// Whether `0D` stands before the algorithm's name.
    package var hasLengthByte: Bool
    /// Where the tag stands.
    package var tag: Tag

    /// The documented construction unless something else is given.
    package init(
        ivLength: Int = 12,
        derivation: Derivation = .counterFirst,
        partyV: PartyV = .point,
        hasLengthByte: Bool = true,
        tag: Tag = .appended
    ) {
        self.ivLength = ivLength
        self.derivation = derivation
        self.partyV = partyV
        self.hasLengthByte = hasLengthByte
        self.tag = tag
    }

    /// ECC_V2 as it is documented.
    package static let canonical = PassDataConstruction()

    var iv: [UInt8] { [UInt8](repeating: 0, count: ivLength) }

    /// The AES key.
    func key(secret: SecretBytes, ephemeral: [UInt8], leaf: [UInt8]) -> SecretBytes {
        let order: KeyDerivation.Order
        switch derivation {
        case .counterFirst: order = .counterFirst
        case .secretFirst: order = .secretFirst
        case .none: return secret
        }
        let party: [UInt8] =
            switch partyV {
            case .point: ephemeral
            case .raw64: Array(ephemeral.dropFirst())
            case .compressed: [2 + ((ephemeral.last ?? 0) & 1)] + ephemeral[1...32]
            case .empty: []
            case .leaf: leaf
            case .merchant(let identifier): Hash.sha256.digest(Array(identifier.utf8))
            }
        let length: [UInt8] = hasLengthByte ? [0x0D] : []
        let information = length + Array("id-aes256-GCM".utf8) + Array("Apple".utf8) + party
        return KeyDerivation.sha256(secret: secret, information: information, order: order)
    }

    /// What is different from `expected`, each with its code.
    func deviations(from expected: PassDataConstruction) -> [PassDataFault] {
        var faults: [PassDataFault] = []
        if ivLength != expected.ivLength { faults.append(ivLength == 16 ? .iv16 : .iv12) }
        if tag != expected.tag { faults.append(.tagPrepended) }
        if derivation == .none { return faults + [.noDerivation] }
        if derivation != expected.derivation { faults.append(.order) }
        if hasLengthByte != expected.hasLengthByte { faults.append(.noLengthByte) }
        switch partyV {
        case .point: break
        case .raw64: faults.append(.partyRaw64)
        case .compressed: faults.append(.partyCompressed)
        case .empty: faults.append(.partyEmpty)
        case .leaf: faults.append(.partyLeaf)
        case .merchant: faults.append(.partyMerchant)
        }
        return faults
    }
}

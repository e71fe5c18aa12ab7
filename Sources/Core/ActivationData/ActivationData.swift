package import Crypto
package import Wire

/// What activation data is held against.
package struct ActivationDataContext: Sendable {
    /// The network of card and token.
    package let network: PaymentNetwork
    /// The number of the card; never printed whole.
    package let pan: PAN
    /// The month in which the card ends.
    package let expiry: CardExpiry
    /// The nonce of the session; empty when there was none.
    package let nonce: [UInt8]
    /// A value over the PAN alone is good too: activation of a pass that exists.
    package let allowsMissingNonce: Bool
    /// The token that a network names in its data; nil before there is one.
    package let tokenID: String?
    /// The keys that the issuer shares with each network.
    package let networkKeys: NetworkKeys
    /// The tenant's time.
    package let now: Instant
    /// How strictly documents are read.
    package let strictness: Strictness

    /// What is known of the card and of the session that the data is for.
    package init(
        network: PaymentNetwork,
        pan: PAN,
        expiry: CardExpiry,
        nonce: [UInt8],
        allowsMissingNonce: Bool,
        tokenID: String?,
        networkKeys: NetworkKeys,
        now: Instant,
        strictness: Strictness
    ) {
        self.network = network
        self.pan = pan
        self.expiry = expiry
        self.nonce = nonce
        self.allowsMissingNonce = allowsMissingNonce
        self.tokenID = tokenID
        self.networkKeys = networkKeys
        self.now = now
        self.strictness = strictness
    }
}

/// Activation data, the cryptographic one-time password between issuer and network (CONTRACT, section 1).
///
/// On the wire it is base64; these functions take and give the bytes under it.
package enum ActivationData {
    /// Checks a value by the rules of its network.
    ///
    /// - Parameter tshKey: trusted for Mastercard values that the TPC face signed for the issuer.
    package static func verify(_ bytes: [UInt8], _ context: ActivationDataContext, tshKey: PublicKey) -> [Check] {
        switch context.network {
        case .visa: VisaActivationData.verify(bytes, context)
        case .mastercard: TAVVerifier.verify(bytes, context, tshKey: tshKey)
        case .amex: SandboxMAC.verify(bytes, key: context.networkKeys.amex, context)
        case .discover: SandboxMAC.verify(bytes, key: context.networkKeys.discover, context)
        }
    }

    /// Longest nonce that the network's activation data can bind, in bytes; nil for no limit.
    package static func longestNonce(_ network: PaymentNetwork) -> Int? {
        network == .visa ? VisaActivationData.longestNonce : nil
    }

    /// Random parts of a value, from the tenant's draws.
    package struct Randomness: Sendable {
        /// Four bytes that make equal Visa blocks differ.
        package let salt: [UInt8]
        /// Six characters, Visa's `authcode`.
        package let code: String

        /// Draws from the tenant's seed, so that one seed gives one value.
        package init(_ draws: inout Draws) {
            salt = draws.bytes(4)
            code = draws.digits(6)
        }
    }

    /// Makes a value as the issuer's processor would.
    ///
    /// - Parameters:
    ///   - nonce: nil when there is none; Visa cannot do without.
    ///   - tavKey: the TSH's own key, for an issuer that registered none with a private half.
    /// - Throws: ``ActivationDataMakingFault`` or an error of the crypto library.
    package static func make(
        network: PaymentNetwork,
        pan: PAN,
        expiry: CardExpiry,
        nonce: [UInt8]?,
        keys: NetworkKeys,
        tavKey: PrivateKey,
        randomness: Randomness,
        now: Instant
    ) throws -> [UInt8] {
        switch network {
        case .visa:
            guard let nonce else { throw ActivationDataMakingFault.visaNeedsNonce }
            return try VisaActivationData.make(nonce: nonce, key: keys.visa, randomness: randomness)
        case .mastercard:
            let key = try keys.tavSigner?.privatePEM.map { try PrivateKey(pem: $0) } ?? tavKey
            return try TAV.make(
                TAV.Content(
                    version: .three,
                    pan: pan,
                    expiry: expiry,
                    validUntil: now.adding(seconds: TAV.lifeSeconds),
                    tokenID: nil,
                    keyAlias: nil
                ),
                key: key
            )
        case .amex: return SandboxMAC.make(key: keys.amex, nonce: nonce ?? [], pan: pan)
        case .discover: return SandboxMAC.make(key: keys.discover, nonce: nonce ?? [], pan: pan)
        }
    }
}

/// Why no activation data can be made.
package enum ActivationDataMakingFault: Error, Sendable {
    case visaNeedsNonce
    case visaNonceTooLong
}

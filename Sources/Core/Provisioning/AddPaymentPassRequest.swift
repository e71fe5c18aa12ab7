package import Crypto
package import Wire

/// What an issuer's side hands to PassKit: `PKAddPaymentPassRequest` (apple-pay-provisioning 3).
package struct AddPaymentPassRequest: Sendable {
    /// For the network, as the wallet passes it on.
    package let activationData: [UInt8]
    /// The encrypted card.
    package let passData: SealedPassData

    /// The card, and what Apple gave for this one sheet.
    package struct Content: Sendable {
        /// The network of card and token.
        package let network: PaymentNetwork
        /// The number of the card; never printed whole.
        package let pan: PAN
        /// The month in which the card ends.
        package let expiry: CardExpiry
        /// The cardholder's name as it was sent.
        package let holderName: String
        /// The session's nonce.
        package let nonce: [UInt8]
        /// The signature over the session's nonce.
        package let nonceSignature: [UInt8]

        /// Made of its members.
        package init(
            network: PaymentNetwork,
            pan: PAN,
            expiry: CardExpiry,
            holderName: String,
            nonce: [UInt8],
            nonceSignature: [UInt8]
        ) {
            self.network = network
            self.pan = pan
            self.expiry = expiry
            self.holderName = holderName
            self.nonce = nonce
            self.nonceSignature = nonceSignature
        }
    }

    /// Makes activation data and encrypts the pass data to the leaf certificate. On the crypto lane.
    ///
    /// - Parameter tavKey: the TSH's own key, for an issuer that registered none with a private half.
    package static func make(
        _ content: Content,
        leaf: Certificate,
        keys: NetworkKeys,
        tavKey: PrivateKey,
        randomness: ActivationData.Randomness,
        now: Instant
    ) throws -> AddPaymentPassRequest {
        let activationData = try ActivationData.make(
            network: content.network,
            pan: content.pan,
            expiry: content.expiry,
            nonce: content.nonce,
            keys: keys,
            tavKey: tavKey,
            randomness: randomness,
            now: now
        )
        let passData = PassDataContent(
            pan: content.pan,
            expiry: content.expiry,
            holderName: content.holderName,
            nonce: content.nonce,
            nonceSignature: content.nonceSignature
        )
        return AddPaymentPassRequest(activationData: activationData, passData: try passData.sealed(to: leaf))
    }
}

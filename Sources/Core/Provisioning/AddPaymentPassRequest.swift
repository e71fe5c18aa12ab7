package import Crypto
package import Wire

/// What an issuer's side hands to PassKit: `PKAddPaymentPassRequest` (apple-pay-provisioning 3).
package struct AddPaymentPassRequest: Sendable {
    package let activationData: [UInt8]
    package let passData: SealedPassData

    /// The card, and what Apple gave for this one sheet.
    package struct Content: Sendable {
        package let network: PaymentNetwork
        package let pan: PAN
        package let expiry: CardExpiry
        package let holderName: String
        package let nonce: [UInt8]
        package let nonceSignature: [UInt8]

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

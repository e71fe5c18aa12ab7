import Core
import Crypto
import Traffic
import Wire

/// `PKAddPaymentPassRequest` as a request (apple-pay-provisioning 3).
struct PassRequest: Sendable {
    let activationData: [UInt8]
    let passData: SealedPassData
    let termsAccepted: Bool

    /// Reads the body and notes what is wrong with it.
    init(_ exchange: inout Exchange) {
        var fields = FieldReader(&exchange, strictness: exchange.settings.strictness)
        activationData = fields.bytes(.activationData, limit: ActivationDataField.limit) ?? []
        let encrypted = fields.bytes(.encryptedPassData, limit: 65_536) ?? []
        let key: [UInt8]
        if fields.has(.wrappedKey), !fields.has(.ephemeralPublicKey) {
            _ = fields.value(.wrappedKey)
            _ = fields.value(.ephemeralPublicKey)
            fields.fail(
                .ephemeralPublicKey,
                WalletFault.wrappedKey,
                evidence: "declared EV_ECC_v2; ephemeralPublicKey absent, wrappedKey present"
            )
            key = []
        } else {
            key = fields.bytes(.ephemeralPublicKey, limit: 512) ?? []
            if !key.isEmpty {
                fields.note(contentsOf: P256Point.check(key).failures.at(Field.ephemeralPublicKey.place))
            }
        }
        passData = SealedPassData(encryptedPassData: encrypted, ephemeralPublicKey: key)
        termsAccepted = fields.bool(.termsAccepted, default: true)
        fields.finish(into: &exchange)
    }
}

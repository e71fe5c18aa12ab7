import Core
import Crypto
import Traffic
import Wire

/// `PKAddPaymentPassRequest` as a request (apple-pay-provisioning 3).
struct PassRequest: Sendable {
    static let body = FieldTable<WalletField>(
        required: [.activationData, .encryptedPassData, .ephemeralPublicKey],
        optional: [.termsAccepted]
    )
    /// The key is wrapped, as another encryption scheme has it.
    private static let wrappedBody = FieldTable<WalletField>(
        required: [.activationData, .encryptedPassData, .wrappedKey],
        optional: [.ephemeralPublicKey, .termsAccepted]
    )

    let activationData: [UInt8]
    let passData: SealedPassData
    let termsAccepted: Bool

    /// Reads the body and notes what is wrong with it.
    init(_ exchange: inout Exchange) {
        var fields = FieldReader(&exchange, PassRequest.body, strictness: exchange.settings.strictness)
        activationData = fields.bytes(.activationData) ?? []
        let encrypted = fields.bytes(.encryptedPassData) ?? []
        let key: [UInt8]
        if fields.has(.wrappedKey), !fields.has(.ephemeralPublicKey) {
            fields.table = PassRequest.wrappedBody
            fields.fail(
                .ephemeralPublicKey,
                WalletFault.wrappedKey,
                evidence: "declared EV_ECC_v2; ephemeralPublicKey absent, wrappedKey present"
            )
            key = []
        } else {
            key = fields.bytes(.ephemeralPublicKey) ?? []
            if !key.isEmpty {
                fields.note(contentsOf: P256Point.check(key).failures.at(WalletField.ephemeralPublicKey.place))
            }
        }
        passData = SealedPassData(encryptedPassData: encrypted, ephemeralPublicKey: key)
        termsAccepted = fields.bool(.termsAccepted) ?? true
        fields.finish(into: &exchange)
    }
}

import Core
import Masking
import Traffic
import Wire

/// `PKAddPaymentPassRequestConfiguration` as a request (apple-pay-provisioning 1).
struct SessionRequest: Sendable {
    static let body = FieldTable<WalletField>(
        required: [.paymentNetwork, .application],
        optional: [.cardholderName, .primaryAccountSuffix, .encryptionScheme, .primaryAccountIdentifier]
    )

    let network: PaymentNetwork?
    let suffix: String?
    let application: String?
    let primaryAccountIdentifier: String?

    /// Reads the body and notes what is wrong with it.
    init(_ exchange: inout Exchange) {
        var fields = FieldReader(&exchange, SessionRequest.body, strictness: exchange.settings.strictness)
        network = WalletFields.network(&fields)
        _ = fields.optionalString(.cardholderName)
        suffix = fields.has(.primaryAccountSuffix) ? WalletFields.suffix(&fields) : nil
        application = fields.string(.application)
        EncryptionScheme.check(
            .encryptionScheme,
            &fields,
            spelling: WalletFault.schemeSpelling,
            unsupported: WalletFault.schemeUnsupported
        )
        primaryAccountIdentifier = fields.optionalString(.primaryAccountIdentifier)
        fields.finish(into: &exchange)
    }
}

/// Members that several wallet requests have.
enum WalletFields {
    static func network(_ fields: inout FieldReader<WalletField>) -> PaymentNetwork? {
        guard let text = fields.string(.paymentNetwork) else { return nil }
        if let network = PaymentNetwork(passKitName: text) { return network }
        let meant = PaymentNetwork(meant: text)
        if let meant, fields.isLenient {
            let evidence = "read as \(meant.passKitName)"
            fields.warn(.paymentNetwork, WalletFault.networkUnknown, evidence: evidence)
            return meant
        }
        fields.fail(
            .paymentNetwork,
            WalletFault.networkUnknown,
            evidence: Masking.excerpt(text, 32),
            hint: meant.map { "PassKit writes it \($0.passKitName)." }
        )
        return nil
    }

    static func suffix(_ fields: inout FieldReader<WalletField>) -> String? {
        guard let text = fields.string(.primaryAccountSuffix) else { return nil }
        guard (4...5).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            fields.fail(.primaryAccountSuffix, WalletFault.suffixForm, evidence: "\(text.utf8.count) characters")
            return nil
        }
        return text
    }
}

/// What PassKit hands to the app's delegate.
enum SessionMessage {
    static func json(_ session: ProvisioningSession, certificates: [[UInt8]]) -> JSON {
        [
            "sessionId": .string(session.sessionID), "deviceId": .string(session.deviceID),
            "certificates": .array(certificates.map(JSON.base64)),
            "nonce": .base64(session.nonce), "nonceSignature": .base64(session.nonceSignature),
            "expiresAt": .string(RFC3339.format(session.expiresAt)),
        ]
    }
}

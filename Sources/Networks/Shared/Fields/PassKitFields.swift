import Core
import Crypto
import Web
package import Wire

/// A face's members that come from PassKit.
package protocol PassKitField: RequestField {
    static var nonce: Self { get }
    static var nonceSignature: Self { get }
}

/// Members that come from PassKit, whichever face they are sent to.
enum PassKitFields {
    /// More bytes than any nonce has, so that one that is too long is told as such.
    static let form = FieldForm.bytes(limit: 4_096, areRandom: true)

    /// A nonce has so few bytes that its hexadecimal digits are base64 too; the longer signature beside it settles what
    /// was meant.
    static func nonce<Field: PassKitField>(_ fields: inout FieldReader<Field>) -> [UInt8]? {
        guard let bytes = fields.bytes(.nonce, writtenLike: .nonceSignature) else { return nil }
        if bytes.count > 64 {
            fields.fail(.nonce, PassKitFieldFault.nonceLength, evidence: "\(bytes.count) bytes")
        }
        return bytes
    }

    static func nonceSignature<Field: PassKitField>(_ fields: inout FieldReader<Field>) -> [UInt8]? {
        guard let bytes = fields.bytes(.nonceSignature) else { return nil }
        if bytes.count > 512 {
            fields.fail(.nonceSignature, PassKitFieldFault.nonceSignatureLength, evidence: "\(bytes.count) bytes")
        }
        return bytes
    }
}

extension PassKitFields {
    /// A nonce that the network's activation data has no room for; nil when it fits. Not asked of a nonce that is longer
    /// than any may be: that is told already.
    static func roomCheck(for nonce: [UInt8]?, _ network: PaymentNetwork?) -> Check? {
        guard let nonce, nonce.count <= 64, let most = network.flatMap(ActivationData.longestNonce), nonce.count > most
        else { return nil }
        return .failed(
            .member("nonce"),
            PassKitFieldFault.nonceLength,
            evidence: "\(nonce.count) bytes; the network's activation data holds \(most) (inferred)"
        )
    }
}

/// What can be wrong with the bytes that PassKit gave.
package enum PassKitFieldFault: String, DiagnosisSubject {
    case nonceLength = "NONCE_LENGTH"
    case nonceSignatureLength = "NONCE_SIGNATURE_LENGTH"
}

extension PassKitFieldFault {
    /// What the code is about, in what way it refuses, and what to do about it.
    package var meaning: (kind: RefusalKind, cause: String, cure: String) {
        switch self {
        case .nonceLength: (.malformed, "A nonce has 1 to 64 bytes.", "Send the bytes PassKit gave, in base64.")
        case .nonceSignatureLength:
            (.malformed, "A nonceSignature has 1 to 512 bytes.", "Send the bytes PassKit gave, in base64.")
        }
    }
}

/// `PKAddPaymentPassRequest` as the faces print it.
enum AddPaymentPassMessage {
    /// - Parameters:
    ///   - network: the card's network.
    ///   - keys: what the issuer's activation data is made with.
    static func answer(
        _ request: AddPaymentPassRequest,
        network: PaymentNetwork,
        keys: NetworkKeys
    ) -> HTTPResponse {
        // The ephemeral key, and with it the ciphertext, is new for every request.
        HTTPResponse.json([
            "activationData": .base64(request.activationData),
            "encryptedPassData": .base64(request.passData.encryptedPassData),
            "ephemeralPublicKey": .base64(request.passData.ephemeralPublicKey),
        ])
        .withRandom(["/encryptedPassData", "/ephemeralPublicKey"] + ActivationDataMessage.random(network, keys))
    }
}

/// Activation data as the faces print it.
enum ActivationDataMessage {
    static func answer(_ data: [UInt8], network: PaymentNetwork, keys: NetworkKeys) -> HTTPResponse {
        HTTPResponse.json(["activationData": .base64(data)]).withRandom(random(network, keys))
    }

    /// The members that no seed decides.
    fileprivate static func random(_ network: PaymentNetwork, _ keys: NetworkKeys) -> [String] {
        keys.isSeeded(for: network) ? [] : ["/activationData"]
    }
}

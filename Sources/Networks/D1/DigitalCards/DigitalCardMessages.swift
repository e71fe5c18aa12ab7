import Core
import Masking
import Traffic
import Web
import Wire

/// `DigitalCard` of the SDK. State words are the sandbox's own four (CONTRACT, section 5, "Token").
enum DigitalCardMessage {
    static func json(_ details: TokenDetails, currentDeviceID: String) -> JSON {
        let (token, device) = (details.token, details.device)
        var json: JSON = [
            "digitalCardId": .string(token.tokenID), "scheme": .string(token.network.scheme),
            "state": .string(token.state.rawValue), "last4": .string(token.suffix),
            "expiryDate": .string(token.expiry.mmyy), "deviceId": .optional(token.deviceID),
            "deviceName": .optional(device?.name), "deviceType": .optional(device?.deviceKind),
            "tokenRequestorId": .string(token.tokenRequestorID),
        ]
        // As documented, Mastercard alone gives the requestor's name.
        if token.network == .mastercard, let name = details.requestor?.name {
            json = json.adding("tokenRequestorName", .string(name))
        }
        return json.adding("isOnCurrentDevice", .bool(token.deviceID == currentDeviceID))
    }
}

/// The optional body of a life-cycle call: why it is made.
struct DigitalCardReason: Sendable {
    private static let known: Set<String> = ["USER_DECISION", "ISSUER_DECISION", "DEVICE_LOST", "DEVICE_STOLEN"]

    static let body = FieldTable<D1Field>(optional: [.reason])

    let text: String?

    init(_ exchange: inout Exchange) {
        guard exchange.hasDocument else {
            text = nil
            return
        }
        var fields = FieldReader(&exchange, DigitalCardReason.body, strictness: exchange.settings.strictness)
        text = fields.optionalString(.reason)
        if let text, !DigitalCardReason.known.contains(text) {
            fields.fail(.reason, D1Fault.reasonInvalid, evidence: Masking.excerpt(text, 64))
        }
        fields.finish(into: &exchange)
    }
}

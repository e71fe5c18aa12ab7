import Crypto
import Wire

/// Activation data for American Express and Discover, whose own formats are not public: a format of the sandbox.
///
/// `{"v":1,"mac":"<base64 HMAC-SHA-256(key, nonce bytes ‖ ASCII PAN)>"}` (CONTRACT, section 1).
enum SandboxMAC {
    static func make(key: [UInt8], nonce: [UInt8], pan: PAN) -> [UInt8] {
        let mac = HMAC.sha256(nonce + Array(pan.digits.utf8), key: SecretBytes(key))
        let document: JSON = ["v": 1, "mac": .base64(mac)]
        return document.bytes
    }

    static func verify(_ bytes: [UInt8], key: [UInt8], _ context: ActivationDataContext) -> [Check] {
        guard let json = try? JSON.parse(bytes), case .object(let object) = json else {
            return [.failed("activationData.json", ActivationDataFault.notJSON)]
        }
        guard object["v"]?.integer == 1 else {
            return [.failed("activationData.version", ActivationDataFault.versionUnknown)]
        }
        guard let text = object["mac"]?.string, let mac = try? Base64.decode(text), mac.count == 32 else {
            return [.failed("activationData.mac", ActivationDataFault.macForm)]
        }
        let secret = SecretBytes(key)
        let digits = Array(context.pan.digits.utf8)
        if ConstantTime.areEqual(mac, HMAC.sha256(context.nonce + digits, key: secret)) {
            return [.passed("activationData.mac", evidence: "sandbox format")]
        }
        if ConstantTime.areEqual(mac, HMAC.sha256(digits, key: secret)) {
            guard context.allowsMissingNonce else {
                return [.failed("activationData.mac", ActivationDataFault.macWithoutNonce)]
            }
            return [.passed("activationData.mac", evidence: "sandbox format, over the PAN alone")]
        }
        return [.failed("activationData.mac", ActivationDataFault.macMismatch)]
    }
}

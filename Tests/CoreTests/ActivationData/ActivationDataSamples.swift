import Core
import Crypto
import Testing
import Wire

/// What activation data is held against in these tests; members change from case to case.
struct ActivationDataSetting: Sendable {
    var network = PaymentNetwork.mastercard
    var number = "5555555555554444"
    var expiry = "1232"
    var nonce: [UInt8] = [0xDE, 0xAD, 0xBE, 0xEF]
    var allowsMissingNonce = false
    var tokenID: String?
    var keys = Samples.networkKeys
    var now = testNow
    var strictness = Strictness.documented

    /// Codes that refuse, then those that warn after a bar.
    func verify(_ bytes: [UInt8]) throws -> (codes: String, checks: [Check]) {
        let context = try ActivationDataContext(
            network: network,
            pan: Samples.pan(number),
            expiry: Samples.expiry(expiry),
            nonce: nonce,
            allowsMissingNonce: allowsMissingNonce,
            tokenID: tokenID,
            networkKeys: keys,
            now: now,
            strictness: strictness
        )
        let tshKey = try PrivateKey(pem: Samples.key("tsh/tav.key")).publicKey
        let checks = ActivationData.verify(bytes, context, tshKey: tshKey)
        let parts = [checks.refused.joined(separator: " "), checks.warned.joined(separator: " ")]
        return (parts[1].isEmpty ? parts[0] : parts.joined(separator: "|"), checks)
    }

    func make(_ nonce: [UInt8]?, draws seed: UInt64 = 1) throws -> [UInt8] {
        var draws = Draws(seed: seed)
        return try ActivationData.make(
            network: network,
            pan: Samples.pan(number),
            expiry: Samples.expiry(expiry),
            nonce: nonce,
            keys: keys,
            tavKey: PrivateKey(pem: Samples.key("tsh/tav.key")),
            randomness: ActivationData.Randomness(&draws),
            now: now
        )
    }
}

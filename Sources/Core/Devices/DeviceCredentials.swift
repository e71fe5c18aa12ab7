import Crypto
import Wire

/// Key and certificate of a new device, in the shape of Apple's (apple-pay-provisioning 6).
package struct DeviceCredentials: Sendable {
    /// PKCS#8 DER.
    package let key: [UInt8]
    /// DER, issued by the sandbox's own sub-CA.
    package let certificate: [UInt8]

    /// A fresh P-256 key and its certificate, which is as long for every device. On the crypto lane.
    package static func make(keyring: Keyring) throws -> DeviceCredentials {
        let key = try PrivateKey.generateP256()
        let serialNumber = [0x01] + (try SecureRandom.bytes(15))
        let certificate = try keyring.deviceCertificates.issuedDER(to: key.publicKey, serialNumber: serialNumber)
        return DeviceCredentials(key: try key.der.bytes, certificate: certificate)
    }
}

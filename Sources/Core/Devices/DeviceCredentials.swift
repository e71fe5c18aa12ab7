import Crypto
import Wire

/// Key and certificate of a new device, in the shape of Apple's (apple-pay-provisioning 6).
package struct DeviceCredentials: Sendable {
    /// PKCS#8 DER.
    package let key: [UInt8]
    /// DER, issued by the sandbox's own sub-CA.
    package let certificate: [UInt8]

    /// A fresh P-256 key and its certificate, which is as long for every device. On the crypto lane.
    ///
    /// The certificate outlives every tenant clock: the policy it stands for looks at no date.
    package static func make(keyring: Keyring) throws -> DeviceCredentials {
        let key = try PrivateKey.generateP256()
        let builder = CertificateBuilder.passDataLeaf(
            commonName: "tsp-sandbox device",
            serialNumber: [0x01] + (try SecureRandom.bytes(15)),
            notBefore: keyring.appleSubCA.notBefore,
            notAfter: keyring.appleSubCA.notAfter
        )
        let certificate = try builder.issuedDER(
            to: key.publicKey,
            by: keyring.appleSubCA,
            key: keyring.appleSubCAKey
        )
        return DeviceCredentials(key: try key.der.bytes, certificate: certificate)
    }
}

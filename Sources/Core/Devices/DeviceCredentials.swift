import Crypto
import Wire

/// Key and certificate of a new device, in the shape of Apple's (apple-pay-provisioning 6).
package struct DeviceCredentials: Sendable {
    /// PKCS#8 DER.
    package let key: [UInt8]
    /// DER, issued by the sandbox's own sub-CA.
    package let certificate: [UInt8]

    /// How a certificate ends whose ECDSA signature takes 71 bytes: about half of all P-256 signatures do not, and a length
    /// that chance decides would make the journals of two equal runs differ.
    private static let commonTail: [UInt8] = [0x03, 0x48, 0x00, 0x30, 0x45]
    private static let commonTailLength = 74
    /// One of about two attempts ends so; after this many the sub-CA's key is of another kind.
    private static let attempts = 40

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
        let issue = { try builder.issued(to: key.publicKey, by: keyring.appleSubCA, key: keyring.appleSubCAKey) }
        var certificate = try issue()
        for _ in 0..<attempts where !certificate.der.suffix(commonTailLength).starts(with: commonTail) {
            certificate = try issue()
        }
        return DeviceCredentials(key: try key.der.bytes, certificate: certificate.der)
    }
}

package import Crypto

/// The sandbox's own keys, read once at start. They are worthless and the same in every tenant.
package struct Keyring: Sendable {
    /// Keys that open card payloads, the one to use first.
    package let payloadRecipients: [PayloadRecipient]
    /// Signs Mastercard activation data for issuers that gave no private key.
    package let tavKey: PrivateKey
    /// The root of the chains that a wallet sends.
    package let appleRoot: Certificate
    /// Issues the devices' certificates.
    package let appleSubCA: Certificate
    /// What the sub-CA makes of a device's key. It outlives every tenant clock: the policy it stands for looks at no date.
    package let deviceCertificates: CertificateTemplate

    /// Keys that were read and fit each other.
    package init(
        payloadRecipients: [PayloadRecipient],
        tavKey: PrivateKey,
        appleRoot: Certificate,
        appleSubCA: Certificate,
        appleSubCAKey: PrivateKey
    ) {
        self.payloadRecipients = payloadRecipients
        self.tavKey = tavKey
        self.appleRoot = appleRoot
        self.appleSubCA = appleSubCA
        let builder = CertificateBuilder.passDataLeaf(
            commonName: "tsp-sandbox device",
            serialNumber: [],
            notBefore: appleSubCA.notBefore,
            notAfter: appleSubCA.notAfter
        )
        deviceCertificates = CertificateTemplate(builder, authority: appleSubCA, key: appleSubCAKey)
    }
}

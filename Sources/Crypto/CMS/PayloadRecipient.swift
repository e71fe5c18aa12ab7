/// A key that payloads may be encrypted to, or might be once.
package struct PayloadRecipient: Sendable {
    /// What a key is good for now (CONTRACT, section 5).
    package enum Standing: Sendable {
        /// To be used for new payloads.
        case active
        /// A newer key took its place; it still opens, with a warning.
        case replaced
        /// It opens nothing any more, and is known only so that its payloads are named.
        case retired
    }

    /// The name by which users know the key.
    package let keyId: String
    /// The certificate that users encrypt to.
    package let certificate: Certificate
    /// The key that opens.
    package let privateKey: PrivateKey
    /// What it is good for now.
    package let standing: Standing

    /// A key with its certificate and the name that users know.
    package init(keyId: String, certificate: Certificate, privateKey: PrivateKey, standing: Standing = .active) {
        self.keyId = keyId
        self.certificate = certificate
        self.privateKey = privateKey
        self.standing = standing
    }

    /// The same key with another standing.
    package func standing(_ standing: Standing) -> PayloadRecipient {
        PayloadRecipient(keyId: keyId, certificate: certificate, privateKey: privateKey, standing: standing)
    }

    /// Bytes of a content key that is encrypted to this key.
    var encryptedKeyLength: Int { (privateKey.publicKey.bits + 7) / 8 }

    /// Whether `identifier` means this key: by serial number and issuer, by the certificate's key identifier, or by
    /// the ASCII of the key id.
    func matches(_ identifier: RecipientIdentifier) -> Bool {
        guard privateKey.kind == .rsa else { return false }
        return switch identifier {
        case .issuerAndSerialNumber(let issuer, let serialNumber):
            serialNumber == certificate.serialNumber && issuer == certificate.issuer
        case .subjectKeyIdentifier(let bytes):
            bytes == certificate.subjectKeyIdentifier || bytes == Array(keyId.utf8)
        }
    }
}

/// The text of a payload and the key that opened it.
package struct OpenedPayload: Sendable {
    /// The decrypted text.
    package let plaintext: SecretBytes
    /// The key that opened it.
    package let keyId: String
}

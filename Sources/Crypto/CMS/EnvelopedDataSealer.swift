import Wire

/// Makes encrypted payloads, as an issuer's backend does.
package enum EnvelopedDataSealer {
    /// How the content key is encrypted.
    package enum KeyEncryption: Sendable {
        case oaep(OAEPParameters)
        /// What TSH sends to a TSP when OAEP was not agreed.
        case pkcs1
    }

    /// DER of `plaintext` for the certificate's key: AES-256-CBC under a fresh key.
    ///
    /// The recipient is named by the certificate's subjectKeyIdentifier, or by issuer and serial number without one.
    package static func seal(
        _ plaintext: [UInt8],
        to certificate: Certificate,
        _ encryption: KeyEncryption = .oaep(.sha256)
    ) throws(CryptoError) -> [UInt8] {
        let key = SecretBytes(try SecureRandom.bytes(32))
        let iv = try SecureRandom.bytes(AESCBC.blockLength)
        let content = try AESCBC.encrypt(plaintext, key: key, iv: iv)
        let recipient = try recipientInfo(certificate, key: key, encryption)
        let cipher = DER.sequence(DER.oid(.aes256CBC), DER.octetString(iv))
        let version = certificate.subjectKeyIdentifier == nil ? 0 : 2
        return contentInfo(version: version, recipients: [recipient], cipher: cipher, content: content)
    }

    /// A KeyTransRecipientInfo.
    static func recipientInfo(
        _ certificate: Certificate,
        key: SecretBytes,
        _ encryption: KeyEncryption
    ) throws(CryptoError) -> [UInt8] {
        let encryptedKey: [UInt8]
        let algorithm: [UInt8]
        switch encryption {
        case .oaep(let parameters):
            encryptedKey = try certificate.publicKey.encryptOAEP(key, parameters)
            algorithm = parameters.algorithmIdentifier
        case .pkcs1:
            encryptedKey = try certificate.publicKey.encryptPKCS1(key)
            algorithm = DER.sequence(DER.oid(.rsaEncryption), DER.null)
        }
        return recipientInfo(certificate, algorithm: algorithm, encryptedKey: encryptedKey)
    }

    /// A KeyTransRecipientInfo of parts that need not fit together.
    static func recipientInfo(_ certificate: Certificate, algorithm: [UInt8], encryptedKey: [UInt8]) -> [UInt8] {
        let version: Int
        let identifier: [UInt8]
        if let keyIdentifier = certificate.subjectKeyIdentifier {
            version = 2
            identifier = DER.primitiveContext(0, keyIdentifier)
        } else {
            version = 0
            identifier = DER.sequence(certificate.issuer, DER.integer(magnitude: certificate.serialNumber))
        }
        return DER.sequence(DER.integer(version), identifier, algorithm, DER.octetString(encryptedKey))
    }

    /// A ContentInfo of EnvelopedData; without content it is detached.
    static func contentInfo(
        version: Int = 2,
        recipients: [[UInt8]],
        cipher: [UInt8],
        content: [UInt8]?
    ) -> [UInt8] {
        let encrypted = content.map { DER.primitiveContext(0, $0) } ?? []
        let data = DER.sequence(
            DER.integer(version),
            DER.set(of: recipients),
            DER.sequence(DER.oid(.data), cipher, encrypted)
        )
        return DER.sequence(DER.oid(.envelopedData), DER.context(0, data))
    }
}

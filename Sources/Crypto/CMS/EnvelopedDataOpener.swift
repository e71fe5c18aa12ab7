package import Wire

/// Opens encrypted payloads: AES-256-CBC and RSA-OAEP with SHA-256, MGF1-SHA-256 and no label, nothing else.
///
/// What the payload declares is judged before a key is used, and the key is used once, with the required parameters.
/// OpenSSL's own CMS decryption is not used: with a wrong pair of hashes it goes on with a random key.
package enum EnvelopedDataOpener {
    /// The names of the checks, after the field's name.
    enum Rule: String {
        case structure
        case recipient
        case keyEncryption
        case contentEncryption
        case key
        case content
    }

    /// The plaintext, if every check passes. On the crypto lane: this uses a private key.
    ///
    /// - Parameter field: the name of the field, which the names of the checks begin with.
    package static func open(
        _ bytes: [UInt8],
        recipients: [PayloadRecipient],
        field: String = "encryptedPayload"
    ) throws(CryptoError) -> Checked<OpenedPayload> {
        let read = EnvelopedDataReader.read(bytes, name: "\(field).\(Rule.structure.rawValue)")
        guard let data = read.value else { return Checked(value: nil, checks: read.checks) }
        var attempt = OpeningAttempt(data: data, recipients: recipients, field: field, checks: read.checks)
        let plaintext = try attempt.run()
        return Checked(value: plaintext, checks: attempt.checks)
    }
}

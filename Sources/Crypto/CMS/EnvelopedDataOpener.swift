package import Wire

/// Opens encrypted payloads: EnvelopedData with AES-CBC and AuthEnvelopedData with AES-GCM, the content key encrypted
/// by RSA-OAEP with SHA-256, MGF1-SHA-256 and no label, nothing else.
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

    /// How much is told about a payload that is well declared and does not open.
    package enum Detail: Sendable {
        /// The step that failed, and what would have opened it.
        case diagnosed
        /// One answer for a wrong key, a wrong padding and a wrong tag, after the same work (RFC 3218, section 2.3.2).
        case uniform
    }

    /// The plaintext, if every check passes. On the crypto lane: this uses a private key.
    ///
    /// - Parameters:
    ///   - field: the name of the field, which the names of the checks begin with.
    ///   - takesShortKeys: content keys of 128 and 192 bits are taken with a warning, and refused otherwise.
    package static func open(
        _ bytes: [UInt8],
        recipients: [PayloadRecipient],
        field: String = "encryptedPayload",
        detail: Detail = .diagnosed,
        takesShortKeys: Bool = true
    ) throws(CryptoError) -> Checked<OpenedPayload> {
        let read = EnvelopedDataReader.read(bytes, name: "\(field).\(Rule.structure.rawValue)")
        guard let data = read.value else { return Checked(value: nil, checks: read.checks) }
        var attempt = OpeningAttempt(
            data: data,
            recipients: recipients,
            field: field,
            detail: detail,
            takesShortKeys: takesShortKeys,
            checks: read.checks
        )
        let plaintext = try attempt.run()
        return Checked(value: plaintext, checks: attempt.checks)
    }

    /// The one refusal of ``Detail/uniform``.
    package static func uniformRefusal(field: String = "encryptedPayload") -> Check {
        .failed("\(field).\(Rule.content.rawValue)", CMSFault.notOpened)
    }

    /// Whether `check` was made with a decrypted key or content in hand.
    package static func isAfterDecryption(_ check: Check, field: String = "encryptedPayload") -> Bool {
        [Rule.key, .content].contains { check.name == "\(field).\($0.rawValue)" }
    }
}

import Wire

/// Encrypted content with all that is needed to open it except the key.
struct SealedContent {
    /// The ciphertext, without a tag.
    let bytes: [UInt8]
    let mode: Mode
    /// Length of the content key in bytes.
    let keyLength: Int

    enum Mode {
        case cbc(iv: [UInt8])
        case gcm(nonce: [UInt8], tag: [UInt8], attributes: AuthenticatedAttributes?)
    }

    /// The plaintext, or nil when padding or tag do not fit. With a tag, nothing is given out before it fits.
    ///
    /// - Parameter key: of ``keyLength`` bytes.
    func open(with key: SecretBytes) throws(CryptoError) -> SecretBytes? {
        WorkMeter.noteContent()
        return switch mode {
        case .cbc(let iv):
            try AESCBC.decrypt(bytes, key: key, iv: iv)
        case .gcm(let nonce, let tag, let attributes):
            try AESGCM.open(bytes, tag: tag, key: key, iv: nonce, authenticating: attributes?.distinguished ?? [])
        }
    }

    /// Why the content does not open with a key that was found, in words.
    func diagnosis(with key: SecretBytes) throws(CryptoError) -> (CMSFault, String) {
        guard case .gcm(let nonce, let tag, let attributes) = mode else {
            return (.contentNotOpened, "\(bytes.count) bytes, the padding is wrong after decryption")
        }
        guard let attributes else { return (.tagMismatch, "\(bytes.count) bytes, no authenticated attributes") }
        let slips = [
            ([], "the attributes were not authenticated"),
            (attributes.sent, "the attributes were authenticated as sent, under the tag [1]"),
            ([0x31] + attributes.sent.dropFirst(), "the attributes were authenticated as sent, which is not DER"),
        ]
        for (data, words) in slips
        where try AESGCM.open(bytes, tag: tag, key: key, iv: nonce, authenticating: data) != nil {
            return (.tagMismatch, words)
        }
        return (.tagMismatch, "\(bytes.count) bytes, \(attributes.count) authenticated attribute(s)")
    }
}

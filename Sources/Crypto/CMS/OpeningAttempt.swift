import Wire

/// One payload on its way through the checks.
struct OpeningAttempt {
    let data: EnvelopedData
    let recipients: [PayloadRecipient]
    let field: String
    private(set) var checks: [Check]

    /// The plaintext, or nil after a failed check.
    mutating func run() throws(CryptoError) -> OpenedPayload? {
        let found = findRecipient()
        if data.contentType != .data {
            checks.append(.warning(name(.structure), CMSFault.innerType, evidence: data.contentType.cmsName))
        }
        // Without a recipient of ours the first one's algorithm is still worth a word.
        let parameters = judgeKeyEncryption(found?.info ?? data.recipients.first)
        let content = judgeContent()
        guard let found, let parameters, let content else { return nil }
        guard let key = try openKey(found.info, found.recipient, parameters) else { return nil }
        guard let plaintext = try AESCBC.decrypt(content.bytes, key: key, iv: content.iv) else {
            let evidence = "\(content.bytes.count) bytes, the padding is wrong after decryption"
            checks.append(.failed(name(.content), CMSFault.contentNotOpened, evidence: evidence))
            return nil
        }
        checks.append(.passed(name(.content), evidence: "\(plaintext.count) bytes"))
        return OpenedPayload(plaintext: plaintext, keyId: found.recipient.keyId)
    }

    private func name(_ rule: EnvelopedDataOpener.Rule) -> String { "\(field).\(rule.rawValue)" }

    private mutating func findRecipient() -> (info: KeyTransportRecipient, recipient: PayloadRecipient)? {
        for info in data.recipients {
            guard let recipient = recipients.first(where: { $0.matches(info.identifier) }) else { continue }
            checks.append(.passed(name(.recipient), evidence: "\(info.identifier)"))
            return (info, recipient)
        }
        let present = data.recipients.prefix(8).map(\.identifier.description) + data.otherRecipients.prefix(8)
        let ours = recipients.prefix(8).map(\.keyId)
        let evidence =
            "payload: \(present.isEmpty ? "none" : present.joined(separator: ", ")); "
            + "accepted: \(ours.isEmpty ? "none" : ours.joined(separator: ", "))"
        checks.append(.failed(name(.recipient), CMSFault.noRecipient, evidence: evidence))
        return nil
    }

    private mutating func judgeKeyEncryption(_ info: KeyTransportRecipient?) -> OAEPParameters? {
        guard let info else { return nil }
        switch DeclaredKeyEncryption(info.algorithm) {
        case .oaep(let parameters):
            checks.append(.passed(name(.keyEncryption), evidence: "RSA-OAEP, \(parameters)"))
            return parameters
        case .refused(let fault, let evidence):
            checks.append(.failed(name(.keyEncryption), fault, evidence: evidence))
            return nil
        }
    }

    private mutating func judgeContent() -> (bytes: [UInt8], iv: [UInt8])? {
        switch DeclaredContentCipher(data.cipher) {
        case .refused(let fault, let evidence):
            checks.append(.failed(name(.contentEncryption), fault, evidence: evidence))
            return nil
        case .aes256CBC(let iv):
            checks.append(.passed(name(.contentEncryption), evidence: "AES-256-CBC"))
            guard let bytes = data.encryptedContent else {
                checks.append(.failed(name(.content), CMSFault.detached))
                return nil
            }
            guard !bytes.isEmpty, bytes.count.isMultiple(of: AESCBC.blockLength) else {
                checks.append(.failed(name(.content), CMSFault.contentLength, evidence: "\(bytes.count) bytes"))
                return nil
            }
            return (bytes, iv)
        }
    }

    private mutating func openKey(
        _ info: KeyTransportRecipient,
        _ recipient: PayloadRecipient,
        _ parameters: OAEPParameters
    ) throws(CryptoError) -> SecretBytes? {
        let expected = (recipient.privateKey.publicKey.bits + 7) / 8
        guard info.encryptedKey.count == expected else {
            let evidence = "\(info.encryptedKey.count) bytes, the key of \(recipient.keyId) has \(expected)"
            checks.append(.failed(name(.key), CMSFault.encryptedKeyLength, evidence: evidence))
            return nil
        }
        guard let key = try recipient.privateKey.decryptOAEP(info.encryptedKey, parameters) else {
            let search = KeySearch(encryptedKey: info.encryptedKey, named: recipient, recipients: recipients)
            let evidence = try search.run() ?? "no pair of hashes and no key of this issuer opens it"
            checks.append(.failed(name(.key), CMSFault.keyNotOpened, evidence: evidence))
            return nil
        }
        guard key.count == 32 else {
            checks.append(.failed(name(.key), CMSFault.contentKeyLength, evidence: "\(key.count) bytes"))
            return nil
        }
        checks.append(.passed(name(.key), evidence: recipient.keyId))
        return key
    }
}

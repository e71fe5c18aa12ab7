import Wire

/// One payload on its way through the checks.
struct OpeningAttempt {
    let data: EnvelopedData
    let recipients: [PayloadRecipient]
    let field: String
    let detail: EnvelopedDataOpener.Detail
    let takesShortKeys: Bool
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
        guard hasRightLength(found.info, found.recipient) else { return nil }
        let plaintext: SecretBytes?
        switch detail {
        case .diagnosed:
            guard let key = try openKey(found.info, found.recipient, parameters, content) else { return nil }
            plaintext = try openContent(content, key)
        case .uniform:
            plaintext = try openUniformly(found.info, found.recipient, parameters, content)
        }
        guard let plaintext else { return nil }
        let card = unwrapped(plaintext)
        guard !isSigned(card) else { return nil }
        return OpenedPayload(plaintext: card, keyId: found.recipient.keyId)
    }

    private func name(_ rule: EnvelopedDataOpener.Rule) -> String { "\(field).\(rule.rawValue)" }

    /// The first recipient that is ours. One that fails is never made up for by another.
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

    private mutating func judgeContent() -> SealedContent? {
        switch DeclaredContentCipher(data.cipher, isAuthenticated: data.tag != nil) {
        case .refused(let fault, let evidence):
            return refuse(.contentEncryption, fault, evidence)
        case .cbc(let bits, let iv):
            guard accept("AES-\(bits)-CBC", bits) else { return nil }
            guard let bytes = data.encryptedContent else { return refuse(.content, .detached, nil) }
            guard !bytes.isEmpty, bytes.count.isMultiple(of: AESCBC.blockLength) else {
                return refuse(.content, .contentLength, "\(bytes.count) bytes")
            }
            return SealedContent(bytes: bytes, mode: .cbc(iv: iv), keyLength: bits / 8)
        case .gcm(let bits, let nonce, let tagLength):
            guard accept("AES-\(bits)-GCM", bits) else { return nil }
            guard let bytes = data.encryptedContent else { return refuse(.content, .detached, nil) }
            guard let tag = data.tag, tag.count == tagLength else {
                return refuse(.content, .tagLength, "\(data.tag?.count ?? 0) bytes, declared are \(tagLength)")
            }
            let mode = SealedContent.Mode.gcm(nonce: nonce, tag: tag, attributes: data.attributes)
            return SealedContent(bytes: bytes, mode: mode, keyLength: bits / 8)
        }
    }

    private mutating func accept(_ cipher: String, _ bits: Int) -> Bool {
        let name = name(.contentEncryption)
        let isWhole = bits == 256
        let check: Check =
            isWhole
            ? .passed(name, evidence: cipher)
            : takesShortKeys
                ? .warning(name, CMSFault.contentKeySize, evidence: cipher)
                : .failed(name, CMSFault.contentKeySize, evidence: cipher)
        checks.append(check)
        return isWhole || takesShortKeys
    }

    private mutating func refuse(
        _ rule: EnvelopedDataOpener.Rule,
        _ fault: CMSFault,
        _ evidence: String?
    ) -> SealedContent? {
        checks.append(.failed(name(rule), fault, evidence: evidence))
        return nil
    }

    private mutating func hasRightLength(_ info: KeyTransportRecipient, _ recipient: PayloadRecipient) -> Bool {
        let expected = recipient.encryptedKeyLength
        if info.encryptedKey.count == expected { return true }
        let evidence = "\(info.encryptedKey.count) bytes, the key of \(recipient.keyId) has \(expected)"
        checks.append(.failed(name(.key), CMSFault.encryptedKeyLength, evidence: evidence))
        return false
    }

    private mutating func openKey(
        _ info: KeyTransportRecipient,
        _ recipient: PayloadRecipient,
        _ parameters: OAEPParameters,
        _ content: SealedContent
    ) throws(CryptoError) -> SecretBytes? {
        guard let key = try recipient.privateKey.decryptOAEP(info.encryptedKey, parameters) else {
            var search = KeySearch(encryptedKey: info.encryptedKey, named: recipient, recipients: recipients)
            let evidence = try search.run() ?? "no pair of hashes and no key of this issuer opens it"
            checks.append(.failed(name(.key), CMSFault.keyNotOpened, evidence: evidence))
            return nil
        }
        guard key.count == content.keyLength else {
            let evidence = "\(key.count) bytes, the cipher needs \(content.keyLength)"
            checks.append(.failed(name(.key), CMSFault.contentKeyLength, evidence: evidence))
            return nil
        }
        checks.append(.passed(name(.key), evidence: recipient.keyId))
        return key
    }

    private mutating func openContent(_ content: SealedContent, _ key: SecretBytes) throws(CryptoError) -> SecretBytes?
    {
        guard let plaintext = try content.open(with: key) else {
            let (fault, evidence) = try content.diagnosis(with: key)
            checks.append(.failed(name(.content), fault, evidence: evidence))
            return nil
        }
        checks.append(.passed(name(.content), evidence: "\(plaintext.count) bytes"))
        return plaintext
    }

    /// One operation with the private key and one decryption of the content in every case; the random key that stands
    /// in for a missing one is made in every case too.
    private mutating func openUniformly(
        _ info: KeyTransportRecipient,
        _ recipient: PayloadRecipient,
        _ parameters: OAEPParameters,
        _ content: SealedContent
    ) throws(CryptoError) -> SecretBytes? {
        let substitute = SecretBytes(try SecureRandom.bytes(content.keyLength))
        let opened = try recipient.privateKey.decryptOAEP(info.encryptedKey, parameters)
        let isKey = opened?.count == content.keyLength
        let plaintext = try content.open(with: isKey ? opened ?? substitute : substitute)
        guard isKey, let plaintext else {
            checks.append(EnvelopedDataOpener.uniformRefusal(field: field))
            return nil
        }
        checks.append(.passed(name(.key), evidence: recipient.keyId))
        checks.append(.passed(name(.content), evidence: "\(plaintext.count) bytes"))
        return plaintext
    }

    /// Refuses signed content. Only the key can tell that it is signed, so the uniform answer does not.
    private mutating func isSigned(_ card: SecretBytes) -> Bool {
        // No JSON object begins like a SEQUENCE.
        let isSequence = card.withUnsafeBytes { $0.first == 0x30 }
        guard isSequence, let wrapping = SignedContent.wrapping(card.bytes) else { return false }
        if detail == .uniform {
            let field = field
            checks.removeAll { EnvelopedDataOpener.isAfterDecryption($0, field: field) }
            checks.append(EnvelopedDataOpener.uniformRefusal(field: field))
        } else {
            checks.append(.failed(name(.content), CMSFault.signedContent, evidence: wrapping))
        }
        return true
    }

    /// Old versions of .NET encrypt the content inside an OCTET STRING; no JSON begins like one.
    private mutating func unwrapped(_ plaintext: SecretBytes) -> SecretBytes {
        let isWrapped = plaintext.withUnsafeBytes { $0.first == 0x04 }
        guard isWrapped, let inner = try? BERReader.single(.octetString, in: plaintext.bytes),
            let octets = try? inner.octets()
        else { return plaintext }
        checks.append(.warning(name(.content), CMSFault.wrappedContent))
        return SecretBytes(octets)
    }
}

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
        let found = findRecipients()
        if data.contentType != .data {
            checks.append(.warning(name(.structure), CMSFault.innerType, evidence: data.contentType.cmsName))
        }
        var trials = judgeKeyEncryption(found)
        let content = judgeContent()
        guard trials.hasUsable, let content else { return nil }
        guard hasRightLength(&trials) else { return nil }
        // Before a key is used, so that it tells nothing of what the key found.
        if let last = trials.usable.last, trials.usable.allSatisfy({ $0.recipient.standing == .replaced }) {
            checks.append(.warning(name(.recipient), CMSFault.keyNotActive, evidence: last.recipient.keyId))
        }
        let opened: (plaintext: SecretBytes, keyID: String)?
        switch detail {
        case .diagnosed: opened = try openDiagnosed(trials, content)
        case .uniform: opened = try openUniformly(trials.usable, content)
        }
        guard let opened else { return nil }
        let card = unwrapped(opened.plaintext)
        guard !isSigned(card) else { return nil }
        return OpenedPayload(plaintext: card, keyId: opened.keyID)
    }

    private func name(_ rule: EnvelopedDataOpener.Rule) -> String { "\(field).\(rule.rawValue)" }

    /// The recipients that are ours, in the payload's order, which does not matter: any of them may open it.
    private mutating func findRecipients() -> [RecipientTrial] {
        let good = recipients.filter { $0.standing != .retired }
        var found: [RecipientTrial] = []
        for (index, info) in data.recipients.enumerated() where found.count < RecipientTrial.limit {
            guard let recipient = good.first(where: { $0.matches(info.identifier) }) else { continue }
            found.append(RecipientTrial(number: index + 1, info: info, recipient: recipient))
        }
        if let first = found.first {
            let more = found.count == 1 ? "" : "; \(found.count) of \(data.recipients.count) recipients are ours"
            checks.append(.passed(name(.recipient), evidence: "\(first.info.identifier)\(more)"))
            return found
        }
        let retired = recipients.filter { key in
            key.standing == .retired && data.recipients.contains { key.matches($0.identifier) }
        }
        let present = data.recipients.prefix(8).map(\.identifier.description) + data.otherRecipients.prefix(8)
        let evidence =
            (retired.isEmpty ? "" : "retired: \(retired.map(\.keyId).joined(separator: ", ")); ")
            + "payload: \(present.isEmpty ? "none" : present.joined(separator: ", ")); "
            + "accepted: \(good.isEmpty ? "none" : good.prefix(8).map(\.keyId).joined(separator: ", "))"
        checks.append(.failed(name(.recipient), CMSFault.noRecipient, evidence: evidence))
        return []
    }

    /// What the payload declares for each recipient of ours. Without one the first recipient's algorithm is still worth
    /// a word.
    private mutating func judgeKeyEncryption(_ found: [RecipientTrial]) -> RecipientTrials {
        var trials = RecipientTrials(count: found.count)
        for var trial in found {
            switch DeclaredKeyEncryption(trial.info.algorithm) {
            case .oaep(let parameters):
                if !trials.hasUsable {
                    checks.append(.passed(name(.keyEncryption), evidence: "RSA-OAEP, \(parameters)"))
                }
                trial.parameters = parameters
                trials.usable.append(trial)
            case .refused(let fault, let evidence):
                trials.refuse(.failed(name(.keyEncryption), fault, evidence: trials.words(trial, evidence)))
            }
        }
        if !trials.hasUsable { checks += trials.refusals }
        if found.isEmpty, let first = data.recipients.first {
            switch DeclaredKeyEncryption(first.algorithm) {
            case .oaep(let parameters):
                checks.append(.passed(name(.keyEncryption), evidence: "RSA-OAEP, \(parameters)"))
            case .refused(let fault, let evidence):
                checks.append(.failed(name(.keyEncryption), fault, evidence: evidence))
            }
        }
        return trials
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

    /// Leaves those whose encrypted key has the length of their RSA key.
    private mutating func hasRightLength(_ trials: inout RecipientTrials) -> Bool {
        for trial in trials.usable where trial.info.encryptedKey.count != trial.recipient.encryptedKeyLength {
            let evidence =
                "\(trial.info.encryptedKey.count) bytes, the key of \(trial.recipient.keyId) has "
                + "\(trial.recipient.encryptedKeyLength)"
            let words = trials.words(trial, evidence)
            trials.refuse(.failed(name(.key), CMSFault.encryptedKeyLength, evidence: words))
        }
        trials.usable.removeAll { $0.info.encryptedKey.count != $0.recipient.encryptedKeyLength }
        if !trials.hasUsable { checks += trials.refusals }
        return trials.hasUsable
    }

    /// Tries one recipient after the other; when none opens, each is told with its reason.
    private mutating func openDiagnosed(
        _ trials: RecipientTrials,
        _ content: SealedContent
    ) throws(CryptoError) -> (plaintext: SecretBytes, keyID: String)? {
        var trials = trials
        var searched = false
        for trial in trials.usable {
            guard let key = try trial.open() else {
                var evidence = "no pair of hashes and no key of this issuer opens it"
                if !searched {
                    // One search is what a payload may cost; the others are told without it.
                    searched = true
                    var search = KeySearch(
                        encryptedKey: trial.info.encryptedKey,
                        named: trial.recipient,
                        recipients: recipients
                    )
                    evidence = try search.run() ?? evidence
                } else {
                    evidence = "it does not open with the key \(trial.recipient.keyId)"
                }
                let words = trials.words(trial, evidence)
                trials.refuse(.failed(name(.key), CMSFault.keyNotOpened, evidence: words))
                continue
            }
            guard key.count == content.keyLength else {
                let evidence = "\(key.count) bytes, the cipher needs \(content.keyLength)"
                let words = trials.words(trial, evidence)
                trials.refuse(.failed(name(.key), CMSFault.contentKeyLength, evidence: words))
                continue
            }
            guard let plaintext = try content.open(with: key) else {
                let (fault, evidence) = try content.diagnosis(with: key)
                trials.refuse(.passed(name(.key), evidence: trials.words(trial, trial.recipient.keyId)))
                trials.refuse(.failed(name(.content), fault, evidence: evidence))
                continue
            }
            checks.append(.passed(name(.key), evidence: trials.words(trial, trial.recipient.keyId)))
            checks.append(.passed(name(.content), evidence: "\(plaintext.count) bytes"))
            return (plaintext, trial.recipient.keyId)
        }
        checks += trials.refusals
        return nil
    }

    /// One operation with the private key for each recipient of ours and one decryption of the content in every case;
    /// the random key that stands in for a missing one is made in every case too.
    private mutating func openUniformly(
        _ trials: [RecipientTrial],
        _ content: SealedContent
    ) throws(CryptoError) -> (plaintext: SecretBytes, keyID: String)? {
        let substitute = SecretBytes(try SecureRandom.bytes(content.keyLength))
        var found: (key: SecretBytes, keyID: String)?
        for trial in trials {
            let opened = try trial.open()
            if let opened, opened.count == content.keyLength, found == nil {
                found = (opened, trial.recipient.keyId)
            }
        }
        let plaintext = try content.open(with: found?.key ?? substitute)
        guard let found, let plaintext else {
            checks.append(EnvelopedDataOpener.uniformRefusal(field: field))
            return nil
        }
        checks.append(.passed(name(.key), evidence: found.keyID))
        checks.append(.passed(name(.content), evidence: "\(plaintext.count) bytes"))
        return (plaintext, found.keyID)
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

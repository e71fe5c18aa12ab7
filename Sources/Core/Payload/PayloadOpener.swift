package import Crypto
package import Wire

/// From the text of an encrypted payload to the card in it. On the crypto lane: a private key is used.
package enum PayloadOpener {
    /// - Parameter explains: the answer is for somebody who asks why: it is exact under strict rules, too, where a live
    ///   request is told only that the payload did not open.
    /// - Throws: an error of the crypto library that bad input cannot cause.
    package static func open(
        _ text: String,
        recipients: [PayloadRecipient],
        network: PaymentNetwork?,
        rules: CardNumberRules,
        explains: Bool = false
    ) throws -> Checked<CardData> {
        let recognised = PayloadEncoding.recognise(text)
        var checks = recognised.checks
        guard let payload = recognised.value else { return Checked(value: nil, checks: checks) }
        if !payload.encoding.isHex, rules.strictness != .lenient {
            // Only hexadecimal is documented; what else was recognised is named and refused.
            checks = checks.map { check in
                guard let code = check.code else { return check }
                return .failed(check.name, code, at: check.place, evidence: check.evidence, hint: check.hint)
            }
        }
        let isStrict = rules.strictness == .strict && !explains
        let opened = try EnvelopedDataOpener.open(
            payload.bytes,
            recipients: recipients,
            detail: isStrict ? .uniform : .diagnosed,
            // Real producers use shorter keys than the documented one.
            takesShortKeys: rules.strictness != .strict
        )
        guard let plaintext = opened.value?.plaintext else {
            return Checked(value: nil, checks: checks + opened.checks)
        }
        let card = CardDataReader.read(plaintext.bytes, network: network, rules: rules)
        if isStrict, let refusal = unreadable(card.checks) {
            // Bent CBC content opens into noise one time in 256: it must not be told from content that stays shut.
            let steps = opened.checks.filter { check in !EnvelopedDataOpener.isAfterDecryption(check) }
            return Checked(value: nil, checks: checks + steps + [refusal])
        }
        checks.append(contentsOf: opened.checks)
        return Checked(value: card.value, checks: checks + card.checks)
    }

    /// The uniform refusal, when what was decrypted is not a JSON object.
    private static func unreadable(_ checks: [Check]) -> Check? {
        let codes = [CardFault.payloadNotJSON.code, CardFault.payloadNotObject.code]
        guard checks.contains(where: { check in codes.contains { $0 == check.code } }) else { return nil }
        return EnvelopedDataOpener.uniformRefusal()
    }
}

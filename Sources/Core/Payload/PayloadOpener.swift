package import Crypto
package import Wire

/// From the text of an encrypted payload to the card in it. On the crypto lane: a private key is used.
package enum PayloadOpener {
    /// - Throws: an error of the crypto library that bad input cannot cause.
    package static func open(
        _ text: String,
        recipients: [PayloadRecipient],
        network: PaymentNetwork?,
        rules: CardNumberRules
    ) throws -> Checked<CardData> {
        let recognised = PayloadEncoding.recognise(text)
        var checks = recognised.checks
        guard let payload = recognised.value else { return Checked(value: nil, checks: checks) }
        if !payload.encoding.isHex, rules.strictness != .lenient {
            // Only hexadecimal is documented; what else was recognised is named and refused.
            checks = checks.map { check in
                guard let code = check.code else { return check }
                return .failed(check.name, code, evidence: check.evidence, hint: check.hint)
            }
        }
        let opened = try EnvelopedDataOpener.open(payload.bytes, recipients: recipients)
        checks.append(contentsOf: opened.checks)
        guard let plaintext = opened.value?.plaintext else { return Checked(value: nil, checks: checks) }
        let card = CardDataReader.read(plaintext.bytes, network: network, rules: rules)
        return Checked(value: card.value, checks: checks + card.checks)
    }
}

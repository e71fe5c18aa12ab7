import Crypto
package import Wire

/// Reads decrypted pass data and holds it against the session it must belong to.
package struct PassDataReader {
    private let session: ProvisioningSession
    private let rules: CardNumberRules
    private var checks: [Check] = []

    private init(session: ProvisioningSession, rules: CardNumberRules) {
        self.session = session
        self.rules = rules
    }

    /// The content of decrypted pass data, and every check that was made.
    package static func read(
        _ plaintext: [UInt8],
        session: ProvisioningSession,
        rules: CardNumberRules
    ) -> Checked<PassDataContent> {
        let json: JSON
        do {
            json = try JSON.parse(plaintext)
        } catch {
            if error.isLongNumber(at: "/primaryAccountNumber") {
                let evidence = "found a number, \(error.place)"
                return Checked(
                    value: nil,
                    checks: [.failed("passData.pan", PassContentFault.panMalformed, evidence: evidence)]
                )
            }
            let evidence = "\(error.reason.rawValue) at \(error.place)"
            let fault: PassContentFault = error.reason == .duplicateKey ? .memberTwice : .notJSON
            return Checked(value: nil, checks: [.failed("passData.json", fault, evidence: evidence)])
        }
        guard case .object(let object) = json else {
            return Checked(
                value: nil,
                checks: [.failed("passData.json", PassContentFault.notObject, evidence: json.typeName)]
            )
        }
        var reader = PassDataReader(session: session, rules: rules)
        reader.checks.append(.passed("passData.json"))
        let content = reader.content(object)
        return Checked(value: content, checks: reader.checks)
    }

    private mutating func content(_ object: JSONObject) -> PassDataContent? {
        let pan = pan(object["primaryAccountNumber"])
        let expiry = expiry(object["expiration"])
        let name = object["name"]?.string
        if (name ?? "").isEmpty { checks.append(.failed("passData.name", PassContentFault.nameMissing)) }
        let nonce = nonce(object["nonce"])
        let signature = signature(object["nonceSignature"])
        guard let pan, let expiry, let name, !name.isEmpty, let nonce, let signature else { return nil }
        return PassDataContent(pan: pan, expiry: expiry, holderName: name, nonce: nonce, nonceSignature: signature)
    }

    private mutating func pan(_ value: JSON?) -> PAN? {
        guard let value, !value.isNull else {
            checks.append(.failed("passData.pan", PassContentFault.panMissing))
            return nil
        }
        guard let text = value.string, let pan = PAN(text) else {
            checks.append(.failed("passData.pan", PassContentFault.panMalformed, evidence: "found a \(value.typeName)"))
            return nil
        }
        checks.append(contentsOf: rules.checks(of: pan, network: session.network, subject: "passData.pan"))
        if !pan.hasSuffix(session.suffix) {
            checks.append(
                .failed(
                    "passData.suffix",
                    CardFault.panSuffixMismatch,
                    evidence: "session says \(session.suffix), the number ends in \(pan.suffix)"
                )
            )
        }
        return pan
    }

    private mutating func expiry(_ value: JSON?) -> CardExpiry? {
        guard let value, !value.isNull else {
            checks.append(.failed("passData.expiration", PassContentFault.expirationMissing))
            return nil
        }
        let text = value.string ?? ""
        do throws(CardExpiry.Fault) {
            return try CardExpiry(slashed: text)
        } catch {
            let evidence = text.utf8.count <= 10 ? "MM/YY wanted, found \(text)" : "MM/YY wanted"
            let fault: CardFault = error == .month ? .expiryImpossible : .expiryFormat
            checks.append(.failed("passData.expiration", fault, evidence: evidence))
            return nil
        }
    }

    private mutating func nonce(_ value: JSON?) -> [UInt8]? {
        let name = "passData.nonce"
        guard let text = value?.string, !text.isEmpty else {
            checks.append(.failed(name, PassContentFault.nonceMissing))
            return nil
        }
        let expected = Hex.encode(session.nonce)
        if ConstantTime.areEqual(text, expected) {
            checks.append(.passed(name))
        } else if ConstantTime.areEqual(text.lowercased(), expected) {
            checks.append(.warning(name, PassContentFault.nonceUppercase))
        } else if let bytes = try? Base64.decode(text), ConstantTime.areEqual(bytes, session.nonce) {
            checks.append(.failed(name, PassContentFault.nonceBase64))
        } else {
            checks.append(.failed(name, PassContentFault.nonceMismatch, evidence: "\(text.utf8.count) characters"))
        }
        return try? Hex.decode(text)
    }

    private mutating func signature(_ value: JSON?) -> [UInt8]? {
        let name = "passData.nonceSignature"
        guard let text = value?.string, !text.isEmpty else {
            checks.append(.failed(name, PassContentFault.nonceSignatureMissing))
            return nil
        }
        let bytes = try? Hex.decode(text)
        if let bytes, ConstantTime.areEqual(bytes, session.nonceSignature) {
            checks.append(.passed(name))
        } else {
            checks.append(
                .failed(name, PassContentFault.nonceSignatureMismatch, evidence: "\(text.utf8.count) characters")
            )
        }
        return bytes
    }
}

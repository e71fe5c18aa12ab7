import Masking
package import Wire

/// Reads the decrypted card payload and checks every member of it.
package struct CardDataReader {
    /// Limits of the optional members (thales-push-provisioning 3.1).
    private static let optionalLimits = [
        ("phoneNumber", 16), ("phoneNumberCountryCode", 4), ("email", 48), ("termsAndConditionsId", 64),
    ]
    private static let objects: Set<String> = ["postalAddress", "issuerClientInformation"]
    private static let securityCodes: Set<String> = ["cvv", "cvv2", "cvc", "cvc2", "cid", "securityCode"]
    private static let mandatory: Set<String> = ["issuerCardRefId", "fpan", "exp", "cardHolderName", "cardholderName"]

    private let rules: CardNumberRules
    private let network: PaymentNetwork?
    private var checks: [Check] = []

    private init(rules: CardNumberRules, network: PaymentNetwork?) {
        self.rules = rules
        self.network = network
    }

    /// The card in `plaintext`; `network` is the one the request named, if it named a known one.
    package static func read(
        _ plaintext: [UInt8],
        network: PaymentNetwork?,
        rules: CardNumberRules
    ) -> Checked<CardData> {
        let json: JSON
        do {
            json = try JSON.parse(plaintext)
        } catch {
            let check: Check =
                error.isLongNumber(at: "/fpan")
                ? .failed("payload.fpan", CardFault.panIsNumber, evidence: error.place)
                : .failed(
                    "payload.json",
                    CardFault.unreadable(error),
                    evidence: "\(error.reason.rawValue) at \(error.place)"
                )
            return Checked(value: nil, checks: [check])
        }
        guard case .object(let object) = json else {
            return Checked(
                value: nil,
                checks: [.failed("payload.json", CardFault.payloadNotObject, evidence: json.typeName)]
            )
        }
        var reader = CardDataReader(rules: rules, network: network)
        reader.checks.append(.passed("payload.json"))
        let card = reader.card(JSONCursor(object))
        return Checked(value: card, checks: reader.checks)
    }

    private mutating func card(_ members: JSONCursor) -> CardData? {
        let reference = reference(members.value("issuerCardRefId"))
        let pan = pan(members.value("fpan"))
        let expiry = expiry(members.value("exp"))
        let name = holderName(members.object)
        optionalMembers(members)
        if let reference, let pan, reference == pan.digits {
            checks.append(.failed("payload.issuerCardRefId", CardFault.cardReferenceIsPAN))
            return nil
        }
        guard let reference, let pan, let expiry, let name else { return nil }
        return CardData(
            reference: reference,
            pan: pan,
            expiry: expiry,
            holderName: name,
            phone: members.value("phoneNumber")?.string,
            email: members.value("email")?.string
        )
    }

    private mutating func reference(_ value: JSON?) -> String? {
        let result = CardReference.read(value)
        checks.append(contentsOf: result.checks)
        return result.value
    }

    private mutating func pan(_ value: JSON?) -> PAN? {
        switch value {
        case nil: checks.append(.failed("payload.fpan", CardFault.panMissing))
        case .number: checks.append(.failed("payload.fpan", CardFault.panIsNumber))
        case .string(let text):
            guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), !text.isEmpty else {
                checks.append(
                    .failed("payload.fpan", CardFault.panMalformed, evidence: "\(text.utf8.count) characters")
                )
                return nil
            }
            guard let pan = PAN(text) else {
                checks.append(.failed("payload.fpan", CardFault.panLength, evidence: "\(text.utf8.count) digits"))
                return nil
            }
            checks.append(contentsOf: rules.checks(of: pan, network: network, subject: "payload.fpan"))
            return pan
        default: checks.append(.failed("payload.fpan", CardFault.panMalformed, evidence: value?.typeName))
        }
        return nil
    }

    private mutating func expiry(_ value: JSON?) -> CardExpiry? {
        guard let value else {
            checks.append(.failed("payload.exp", CardFault.expiryMissing))
            return nil
        }
        guard let text = value.string else {
            checks.append(.failed("payload.exp", CardFault.expiryFormat, evidence: value.typeName))
            return nil
        }
        do throws(CardExpiry.Fault) {
            let expiry = try CardExpiry(mmyy: text)
            checks.append(rules.orderCheck(of: expiry, subject: "payload.exp") ?? .passed("payload.exp"))
            return expiry
        } catch {
            let evidence = text.utf8.count <= 10 ? text : "\(text.utf8.count) characters"
            switch error {
            case .form: checks.append(.failed("payload.exp", CardFault.expiryFormat, evidence: evidence))
            case .month: checks.append(.failed("payload.exp", CardFault.expiryImpossible, evidence: evidence))
            }
            return nil
        }
    }

    private mutating func holderName(_ object: JSONObject) -> String? {
        var value = object["cardHolderName"]
        if let other = object["cardholderName"] {
            checks.append(.warning("payload.cardHolderName", CardFault.holderSpelling))
            if value == nil { value = other }
        }
        guard let value, !value.isNull else {
            checks.append(.failed("payload.cardHolderName", CardFault.holderMissing))
            return nil
        }
        guard let name = value.string, !name.isEmpty, name.utf8.count <= 256 else {
            checks.append(.failed("payload.cardHolderName", CardFault.holderMalformed))
            return nil
        }
        if network == .mastercard, name.count > 27 {
            checks.append(
                .failed("payload.cardHolderName", CardFault.holderTooLong, evidence: "\(name.count) characters")
            )
        }
        if let oddity = Self.oddity(of: name) {
            let field = "payload.cardHolderName"
            checks.append(
                rules.strictness == .strict
                    ? .failed(field, CardFault.holderEmbossing, evidence: oddity)
                    : .warning(field, CardFault.holderEmbossing, evidence: oddity)
            )
        }
        return Masking.text(name)
    }

    /// Why a name could not stand on a card: track 1 has room for 26 characters (ISO/IEC 7813), and none for control characters.
    private static func oddity(of name: String) -> String? {
        if name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) { return "a control character" }
        return name.count > 26 ? "\(name.count) characters" : nil
    }

    private mutating func optionalMembers(_ members: JSONCursor) {
        for (name, limit) in Self.optionalLimits {
            guard let value = members.value(name) else { continue }
            if let text = value.string, text.unicodeScalars.count <= limit { continue }
            checks.append(
                .failed("payload.\(name)", CardFault.memberTooLong, evidence: "\(name) is a text of at most \(limit)")
            )
        }
        let known = Self.mandatory.union(Self.objects).union(Self.optionalLimits.map(\.0))
        let unknown = members.names(besides: known)
        if unknown.contains(where: Self.securityCodes.contains) {
            checks.append(.warning("payload.securityCode", CardFault.securityCodeNotWanted))
        }
        let others = unknown.filter { !Self.securityCodes.contains($0) }
        if !others.isEmpty {
            let names = others.prefix(20).map { Masking.excerpt($0, 32) }.joined(separator: ", ")
            checks.append(.warning("payload.members", CardFault.unknownMember, evidence: names))
        }
    }
}

/// The issuer's own id of a card.
package enum CardReference {
    /// The reference, when the value is a text that may be one.
    package static func read(_ value: JSON?) -> Checked<String> {
        let name = "payload.issuerCardRefId"
        guard let value, !value.isNull else {
            return Checked(value: nil, checks: [.failed(name, CardFault.cardReferenceMissing)])
        }
        guard let text = value.string, (1...48).contains(text.unicodeScalars.count),
            text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F })
        else {
            return Checked(value: nil, checks: [.failed(name, CardFault.cardReferenceMalformed)])
        }
        if let refusal = cardNumberCheck(text, name) { return Checked(value: nil, checks: [refusal]) }
        return Checked(value: text, checks: [.passed(name)])
    }

    /// The refusal of a reference that shows a card number: it is shown wherever the card is. Nil for any other.
    ///
    /// A number of 13 to 19 digits that is Luhn-valid, or has a scheme's prefix and length all the same, is a card number
    /// by itself. Inside a longer reference, or in the groups that are printed on cards, only what leaves no doubt is one:
    /// references are often numbers.
    package static func cardNumberCheck(_ text: String, _ name: String) -> Check? {
        if (13...19).contains(text.utf8.count), let pan = PAN(text) {
            guard pan.isLuhnValid || Masking.holdsCardNumber(text) else { return nil }
            return .failed(name, CardFault.cardReferenceIsPAN, evidence: "the reference is a card number")
        }
        guard holdsCardNumber(text) else { return nil }
        return .failed(name, CardFault.cardReferenceIsPAN, evidence: "a card number stands in the reference")
    }

    /// Whether a piece of digits, or printed groups of them with anything between, is a scheme's valid number.
    package static func holdsCardNumber(_ text: String) -> Bool {
        let pieces = text.utf8.split { !(0x30...0x39).contains($0) }
        if pieces.contains(where: { isValidNumber(Array($0)) }) { return true }
        return pieces.indices.contains { start in
            Masking.printedGroups.contains { sizes in
                let groups = pieces[start...].prefix(sizes.count)
                return groups.map(\.count) == sizes && isValidNumber(groups.flatMap { $0 })
            }
        }
    }

    private static func isValidNumber(_ digits: [UInt8]) -> Bool {
        guard (13...19).contains(digits.count), let pan = PAN(String(decoding: digits, as: UTF8.self)),
            let network = PaymentNetwork(pan: pan.digits)
        else { return false }
        return pan.isLuhnValid && network.panLengths.contains(digits.count)
    }
}

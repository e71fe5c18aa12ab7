import Core
import Traffic
import Web
import Wire

/// Cards and card events as they are posted.
enum CardDocument {
    private enum Event: String, CaseIterable {
        case block, unblock, renew, replace, close
    }

    /// The members of a card.
    static func expect(_ fields: ControlFields) {
        fields.expect(
            "issuerId",
            "issuerCardRefId",
            "consumerId",
            "pan",
            "exp",
            "cardHolderName",
            "phoneNumber",
            "email"
        )
    }

    static func read(_ fields: ControlFields, rules: CardNumberRules) throws(Refusal) -> CardData {
        let reference = CardReference.read(fields.value("issuerCardRefId"))
        guard let value = reference.value else {
            throw fields.refusal("issuerCardRefId", reference.failures[0])
        }
        return CardData(
            reference: value,
            pan: try fields.required("pan", pan(fields, rules: rules)),
            expiry: try fields.required("exp", expiry(fields)),
            holderName: try fields.optionalString("cardHolderName") ?? "TEST CARDHOLDER",
            phone: try fields.optionalString("phoneNumber"),
            email: try fields.optionalString("email")
        )
    }

    static func event(_ fields: ControlFields, rules: CardNumberRules) throws(Refusal) -> CardEvent {
        fields.expect("event", "pan", "exp", "issuerId")
        let event = try fields.requiredWord("event", Event.self)
        // Also of an event that does not look at them: what is wrong is said.
        let pan = try pan(fields, rules: rules)
        let expiry = try expiry(fields)
        switch event {
        case .block: return .block
        case .unblock: return .unblock
        case .renew: return .renew(expiry)
        case .replace: return .replace(pan, expiry)
        case .close: return .close
        }
    }

    /// The issuer that body or query names; both may, when they agree.
    static func issuerID(_ fields: ControlFields, _ exchange: Exchange) throws(Refusal) -> String? {
        let queried = exchange.request.queryValue("issuerId")
        guard let named = try fields.optionalString("issuerId") else { return queried }
        if let queried, queried != named { throw fields.invalid("issuerId", "the one that the query names, or none") }
        return named
    }

    private static func pan(_ fields: ControlFields, rules: CardNumberRules) throws(Refusal) -> PAN? {
        guard let pan = try fields.optionalString("pan", "12 to 19 digits", { PAN($0) }) else { return nil }
        if let failure = rules.checks(of: pan, network: nil, subject: "card.pan").first(where: { !$0.passed }) {
            throw fields.refusal("pan", failure)
        }
        return pan
    }

    private static func expiry(_ fields: ControlFields) throws(Refusal) -> CardExpiry? {
        try fields.optionalString("exp", "MMYY") { try? CardExpiry(mmyy: $0) }
    }
}

import Core
import Traffic
import Wire

/// Cards and card events as they are posted.
enum CardDocument {
    private enum Event: String, CaseIterable {
        case block, unblock, renew, replace, close
    }

    static func read(_ fields: ControlFields, rules: CardNumberRules) throws(Refusal) -> CardData {
        let reference = CardReference.read(fields.value("issuerCardRefId"))
        guard let value = reference.value else {
            throw fields.refusal("issuerCardRefId", reference.failures[0])
        }
        return CardData(
            reference: value,
            pan: try pan(fields, rules: rules),
            expiry: try expiry(fields),
            holderName: try fields.optionalString("cardHolderName") ?? "TEST CARDHOLDER",
            phone: try fields.optionalString("phoneNumber"),
            email: try fields.optionalString("email")
        )
    }

    static func event(_ fields: ControlFields, rules: CardNumberRules) throws(Refusal) -> CardEvent {
        switch try fields.requiredWord("event", Event.self) {
        case .block: return .block
        case .unblock: return .unblock
        case .renew: return .renew(fields.has("exp") ? try expiry(fields) : nil)
        case .replace:
            return .replace(
                fields.has("pan") ? try pan(fields, rules: rules) : nil,
                fields.has("exp") ? try expiry(fields) : nil
            )
        case .close: return .close
        }
    }

    private static func pan(_ fields: ControlFields, rules: CardNumberRules) throws(Refusal) -> PAN {
        guard let pan = PAN(try fields.string("pan")) else { throw fields.invalid("pan", "12 to 19 digits") }
        if let failure = rules.checks(of: pan, network: nil, subject: "card.pan").first(where: { !$0.passed }) {
            throw fields.refusal("pan", failure)
        }
        return pan
    }

    private static func expiry(_ fields: ControlFields) throws(Refusal) -> CardExpiry {
        do {
            return try CardExpiry(mmyy: try fields.string("exp"))
        } catch let refusal as Refusal {
            throw refusal
        } catch {
            throw fields.invalid("exp", "MMYY")
        }
    }
}

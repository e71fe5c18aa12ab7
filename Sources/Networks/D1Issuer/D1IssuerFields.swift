import Core
import Traffic
import Web
import Wire

/// Members and path parameters that several calls have.
enum D1IssuerFields {
    /// An id of the path or the body; nil with a note when its form is wrong.
    static func identifier(
        _ text: String,
        _ name: String,
        at place: Check.Place,
        limit: Int,
        _ exchange: inout Exchange
    ) -> String? {
        guard RegistryIdentifier.isValid(text, limit: limit) else {
            let evidence = "\(text.utf8.count) characters"
            exchange.note(.failed(name, D1IssuerFault.identifierForm, at: place, evidence: evidence))
            return nil
        }
        return text
    }

    static func consumerID(_ exchange: inout Exchange) -> String? {
        consumerID(exchange.parameters["consumerId"], "path.consumerId", at: .path("consumerId"), &exchange)
    }

    static func consumerID(
        _ text: String,
        _ name: String,
        at place: Check.Place,
        _ exchange: inout Exchange
    ) -> String? {
        guard Consumer.isConsumerID(text) else {
            let evidence = "\(text.utf8.count) characters"
            exchange.note(.failed(name, D1IssuerFault.identifierForm, at: place, evidence: evidence))
            return nil
        }
        return text
    }

    /// A cardId that is or holds a card number is refused like everywhere else.
    static func cardID(_ text: String, _ name: String, at place: Check.Place, _ exchange: inout Exchange) -> String? {
        guard let id = identifier(text, name, at: place, limit: RegistryIdentifier.cardLimit, &exchange) else {
            return nil
        }
        if let refusal = CardReference.cardNumberCheck(id, name) {
            exchange.note(refusal.at(place))
            return nil
        }
        return id
    }
}

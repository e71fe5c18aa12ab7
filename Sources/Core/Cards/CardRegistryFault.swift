package import Wire

/// Why a card is not registered, or an operation on a registered card not done.
package enum CardRegistryFault: String, DiagnosisSubject {
    case consumerUnknown = "D1_API_CONSUMER_UNKNOWN"
    case cardIDTaken = "D1_CARD_ID_TAKEN"
    case panRetired = "D1_PAN_RETIRED"
    case panDiffers = "D1_PAN_DIFFERS"
    case stateIgnored = "D1_CARD_STATE_IGNORED"
    case stateNotAllowed = "D1_STATE_NOT_ALLOWED"
    case reasonNotAllowed = "D1_REASON_NOT_ALLOWED"
}

extension CardRegistryFault {
    /// What the code is about, in what way it refuses, and what to do about it.
    package var meaning: (kind: RefusalKind, cause: String, cure: String) {
        switch self {
        case .consumerUnknown:
            (
                .notFound, "There is no such consumer.",
                "Register it: PUT /banking/v2/issuers/{issuerId}/consumers/{consumerId}."
            )
        case .cardIDTaken:
            (
                .conflict, "The cardId stands for another card.",
                "It may be used again only after its card was deleted."
            )
        case .panRetired:
            (.conflict, "The card number was deleted or replaced.", "Such a number can never be registered again.")
        case .panDiffers:
            (.conflict, "The card number is not the card's.", "Renew keeps the number; replace changes it.")
        case .stateIgnored:
            (
                .warning, "The state of a card that exists is not changed by registering it again.",
                "Use the operations suspend and resume."
            )
        case .stateNotAllowed:
            (.transition, "The state of the card does not allow the operation.", "Read the card's state first.")
        case .reasonNotAllowed:
            (
                .transition, "The reason does not go with this operation now.",
                "CARD_FOUND follows CARD_LOST, USER_DECISION lifts USER_DECISION."
            )
        }
    }
}

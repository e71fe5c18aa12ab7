package import Wire

/// What D1 refuses, in the client's calls.
package enum D1Fault: String, DiagnosisSubject {
    case applicationUnknown = "D1_APPLICATION_UNKNOWN"
    case applicationNotEntitled = "D1_APPLICATION_NOT_ENTITLED"
    case deviceUnknown = "D1_DEVICE_UNKNOWN"
    case contextUnknown = "D1_CONTEXT_UNKNOWN"
    case contextMismatch = "D1_CONTEXT_MISMATCH"
    case appGroupInvalid = "D1_APP_GROUP_INVALID"
    case appGroupDiffers = "D1_APP_GROUP_DIFFERS"
    case notConfigured = "D1_NOT_CONFIGURED"
    case consumerIDMissing = "D1_CONSUMER_ID_MISSING"
    case identifierForm = "D1_IDENTIFIER_FORM"
    case issuerUnknown = "D1_ISSUER_UNKNOWN"
    case parametersEmpty = "D1_CARD_PARAMS_EMPTY"
    case parametersTwice = "D1_CARD_PARAMS_TWICE"
    case last4Form = "D1_LAST4_FORM"
    case last4Mismatch = "D1_LAST4_MISMATCH"
    case cardArt = "D1_CARD_ART_RULES"
    case cardArtUnreadable = "D1_CARD_ART_UNREADABLE"
    case bindingValueForm = "D1_BINDING_VALUE_FORM"
    case bindingValueTaken = "D1_BINDING_VALUE_TAKEN"
    case sessionMissing = "D1_SESSION_MISSING"
    case sessionUnknown = "D1_SESSION_UNKNOWN"
    case sessionExpired = "D1_SESSION_EXPIRED"
    case issuerNotLoggedIn = "D1_ISSUER_NOT_LOGGED_IN"
    case consumerNotLoggedIn = "D1_CONSUMER_NOT_LOGGED_IN"
    case cardAlreadyAdded = "D1_CARD_ALREADY_ADDED"
    case extensionUnknown = "D1_EXTENSION_NOT_REGISTERED"
    case cardUnknown = "D1_CARD_UNKNOWN"
    case cardOfOther = "D1_CARD_OF_OTHER_CONSUMER"
    case cardNotActive = "D1_CARD_NOT_ACTIVE"
    case consumerNotActive = "D1_CONSUMER_NOT_ACTIVE"
    case entryCardInvalid = "D1_ENTRY_CARD_INVALID"
    case digitalCardUnknown = "D1_DIGITAL_CARD_UNKNOWN"
    case digitalCardOfOther = "D1_DIGITAL_CARD_OF_OTHER_CONSUMER"
    case nothingPending = "D1_NO_PENDING_IDV"
    case operationNotAllowed = "D1_OPERATION_NOT_ALLOWED"
    case reasonInvalid = "D1_REASON_INVALID"
    case sharedDevice = "SHARED_DEVICE_WITHOUT_LAST4"
    case sharedSuffix = "SHARED_DEVICE_SAME_LAST4"
    case noWatch = "D1_NO_WATCH"
}

extension D1Fault {
    package var meaning: (kind: RefusalKind, cause: String, cure: String) {
        switch self {
        case .applicationUnknown:
            (.malformed, "There is no such application.", "Register it: PUT /v1/applications/{TEAMID.bundle}.")
        case .applicationNotEntitled:
            (
                .notEntitled, "The application lacks com.apple.developer.payment-pass-provisioning.",
                "Register it with entitled true; both extension targets need the entitlement."
            )
        case .deviceUnknown: (.malformed, "There is no such device.", "Make one: POST /wallet/apple/devices.")
        case .contextUnknown: (.malformed, "There is no such context.", "Use app or extension.")
        case .contextMismatch:
            (
                .malformed, "An application of this kind does not run in this context.",
                "Kind app goes with app; extension and extension-ui go with extension."
            )
        case .appGroupInvalid:
            (
                .malformed, "The application has no such app group.",
                "Add the App Group to the target: appGroupIDs of PUT /v1/applications/{TEAMID.bundle}."
            )
        case .appGroupDiffers:
            (
                .notFound, "The device was configured in another app group than the application's.",
                "Give app and both extensions the same App Group."
            )
        case .notConfigured:
            (
                .notFound, "The device was never configured: the app was not opened yet.",
                "Call POST /d1/client/v1/configure first."
            )
        case .consumerIDMissing:
            (.missing, "An extension configuration without a consumerId.", "Give the consumerId of each issuer.")
        case .identifierForm:
            (
                .malformed, "An id has another form than D1 takes.",
                "issuerId: ten characters; consumerId 1 to 64, cardId 1 to 48 of A–Z a–z 0–9 _ -."
            )
        case .issuerUnknown: (.malformed, "There is no such issuer.", "Register it: PUT /v1/issuers/{issuerId}.")
        case .parametersEmpty:
            (.missing, "The configuration names no issuer or no card.", "Give at least one of each.")
        case .parametersTwice:
            (.malformed, "One card of a consumer is named twice.", "Name each once.")
        case .last4Form: (.malformed, "last4 is not four digits.", "Give the last four digits of the card number.")
        case .last4Mismatch:
            (.warning, "last4 is not the end of this card's number.", "The card will be offered again and again.")
        case .cardArtUnreadable:
            (
                .malformed, "The card art is not base64 of a PNG or PDF.",
                "Send the file's bytes in base64, without a data URL before it."
            )
        case .cardArt:
            (
                .warning, "The card art breaks a published rule.",
                "See POST /d1/client/v1/card-art/check for each rule."
            )
        case .bindingValueForm:
            (
                .malformed, "A binding value is not 1 to 8192 printable characters without spaces.",
                "Send the string bindingHash() gave, untouched."
            )
        case .bindingValueTaken:
            (
                .malformed, "The binding value was used, or was made on another device or in another context.",
                "Call bindingHash() again: each process needs its own value for each login."
            )
        case .sessionMissing:
            (.unauthenticated, "There is no session token.", "Log in, then send Authorization: Bearer <sessionToken>.")
        case .sessionUnknown:
            (.unauthenticated, "The session token is not one that is open.", "Log in again.")
        case .sessionExpired: (.unauthenticated, "The session is over.", "Log in again; a session lasts one hour.")
        case .issuerNotLoggedIn:
            (
                .unauthenticated, "A configured issuer is not part of this login, so its cards are left out.",
                "Give login a token of each issuer that was configured."
            )
        case .consumerNotLoggedIn:
            (
                .notEntitled, "The login is another consumer's of this issuer, so the configured cards are left out.",
                "Configure the consumerId that is the sub of the issuer token."
            )
        case .cardAlreadyAdded:
            (
                .conflict, "A pass of the card is there already, so it is not offered.",
                "Nothing is wrong; delete the pass to be offered the card again."
            )
        case .extensionUnknown:
            (
                .warning, "No extension of kind extension is registered beside this application.",
                "PUT /v1/applications/{TEAMID.bundle} with kind extension: Apple asks that one for status and entries."
            )
        case .cardUnknown:
            (
                .notFound, "The consumer has no such card.",
                "Register it: PUT /banking/v2/issuers/{issuerId}/cards/{cardId}."
            )
        case .cardOfOther:
            (.notEntitled, "The card belongs to a consumer who is not logged in.", "Check the cardId and the login.")
        case .cardNotActive: (.declined, "The card is not active.", "Resume it, or use another.")
        case .consumerNotActive: (.declined, "The consumer is not active.", "Set the consumer's state to active.")
        case .entryCardInvalid:
            (
                .invalidData, "A configured card is not one of its consumer's cards.",
                "Configure the cardIds that are registered for the consumer."
            )
        case .digitalCardUnknown:
            (.unknownToken, "There is no such digital card.", "List the digital cards of the card.")
        case .digitalCardOfOther:
            (
                .notEntitled, "The digital card belongs to a consumer who is not logged in.",
                "Check the id and the login."
            )
        case .nothingPending:
            (.transition, "No digital card of the card waits for activation.", "Read the digitization state first.")
        case .operationNotAllowed:
            (.transition, "The card's state does not allow the operation.", "Resume the card first.")
        case .reasonInvalid:
            (.malformed, "There is no such reason.", "Use USER_DECISION, ISSUER_DECISION or DEVICE_LOST.")
        case .sharedDevice:
            (
                .warning, "Without last4 any pass that the application sees hides the card.",
                "Give last4 in the card's parameters; otherwise a second user of the device is offered nothing."
            )
        case .sharedSuffix:
            (
                .warning, "Another card's pass with the same last four digits is on the device.",
                "An SDK that compares last4 only would hide this card."
            )
        case .noWatch: (.notFound, "No watch is paired.", "Pair one: POST /wallet/apple/devices with pairedWith.")
        }
    }
}

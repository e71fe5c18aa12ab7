package import Wire

/// What D1's issuer API refuses by itself.
package enum D1IssuerFault: String, DiagnosisSubject {
    case grantType = "D1_GRANT_TYPE"
    case parameterTwice = "D1_PARAMETER_TWICE"
    case assertionIssuer = "D1_ASSERTION_ISS"
    case assertionSubject = "D1_ASSERTION_SUB"
    case assertionLife = "D1_ASSERTION_LIFE"
    case bearerMissing = "D1_BEARER_MISSING"
    case bearerUnknown = "D1_BEARER_UNKNOWN"
    case bearerExpired = "D1_BEARER_EXPIRED"
    case bearerOtherIssuer = "D1_BEARER_OF_OTHER_ISSUER"
    case issuerUnknown = "D1_API_ISSUER_UNKNOWN"
    case cardUnknown = "D1_API_CARD_UNKNOWN"
    case identifierForm = "D1_API_IDENTIFIER_FORM"
    case fieldForm = "D1_API_FIELD_FORM"
    case fieldValue = "D1_API_FIELD_VALUE"
    case propertyUnknown = "D1_API_PROPERTY_UNKNOWN"
    case correlationID = "D1_CORRELATION_ID_FORM"
    case replacementMissing = "D1_REPLACEMENT_MISSING"
}

extension D1IssuerFault {
    package var meaning: (kind: RefusalKind, cause: String, cure: String) {
        switch self {
        case .grantType:
            (
                .invalidData, "The grant type is not the JWT bearer's.",
                "Send grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer, form-encoded."
            )
        case .parameterTwice: (.malformed, "A form parameter is given twice.", "Send each once.")
        case .assertionIssuer:
            (.unauthenticated, "iss of the assertion is not an issuer that is known.", "Set iss to the issuerId.")
        case .assertionSubject: (.unauthenticated, "sub of the assertion is not its iss.", "Set sub to the issuerId.")
        case .assertionLife:
            (.unauthenticated, "The assertion lives longer than 15 minutes.", "Set exp at most 900 s ahead.")
        case .bearerMissing:
            (
                .unauthenticated, "There is no access token.",
                "Get one from POST /authz/v1/oauth2/token and send Authorization: Bearer."
            )
        case .bearerUnknown: (.unauthenticated, "The access token is not one that was given out.", "Get a new one.")
        case .bearerExpired: (.unauthenticated, "The access token is over.", "Get a new one; it lasts 900 s.")
        case .bearerOtherIssuer:
            (.unauthenticated, "The access token belongs to another issuer than the path's.", "Use the issuer's own.")
        case .issuerUnknown: (.unknownIssuer, "The path names no issuer.", "Register it: PUT /v1/issuers/{issuerId}.")
        case .cardUnknown:
            (.notFound, "There is no such card.", "Register it: PUT /banking/v2/issuers/{issuerId}/cards/{cardId}.")
        case .identifierForm:
            (
                .malformed, "An id has another form than D1 takes, or holds a card number.",
                "consumerId 1 to 64, cardId and cardProductId 1 to 48 of A–Z a–z 0–9 _ -."
            )
        case .fieldForm: (.malformed, "A field has another form than documented.", "See the evidence.")
        case .fieldValue: (.invalidData, "A field has a value that is not listed.", "See the evidence.")
        case .propertyUnknown:
            (.malformed, "The body has a property that is not documented.", "This operation takes no extra ones.")
        case .correlationID:
            (.warning, "x-correlation-id is not 1 to 64 of A–Z a–z 0–9 _ - . and space.", "It is not echoed.")
        case .replacementMissing:
            (.missing, "A replacement needs the new card number.", "Send encryptedData with pan and exp.")
        }
    }
}

package import Wire

/// What the control API refuses by itself.
package enum ControlFault: String, DiagnosisSubject {
    case fieldInvalid = "FIELD_INVALID"
    case bodyNotObject = "CONTROL_BODY_NOT_OBJECT"
    case tokenMissing = "CONTROL_TOKEN_MISSING"
    case tokenWrong = "CONTROL_TOKEN_WRONG"
    case tokenOfOtherTenant = "CONTROL_TOKEN_OTHER_TENANT"
    case tokenOfTenant = "CONTROL_TOKEN_OF_TENANT"
    case tokenReads = "CONTROL_TOKEN_READS"
    case accessTokenNotFound = "TENANT_TOKEN_NOT_FOUND"
    case accessTokenLimit = "TENANT_TOKEN_LIMIT"
    case hostForeign = "CONTROL_HOST_FOREIGN"
    case originForeign = "CONTROL_ORIGIN_FOREIGN"
    case issuerNotFound = "ISSUER_NOT_FOUND"
    case issuerExists = "ISSUER_EXISTS"
    case issuerIDForm = "ISSUER_ID_FORM"
    case issuerHasCards = "ISSUER_HAS_CARDS"
    case keyInvalid = "KEY_INVALID"
    case keyNameTaken = "KEY_ID_TAKEN"
    case applicationNotFound = "APPLICATION_NOT_FOUND"
    case applicationForm = "APPLICATION_IDENTIFIER_FORM"
    case associationEntry = "ASSOCIATION_ENTRY_INVALID"
    case associationSingular = "ASSOCIATION_MEMBER_SINGULAR"
    case storeIdentifier = "STORE_IDENTIFIER_INVALID"
    case launchURLNeedsStore = "LAUNCH_URL_NEEDS_STORE_ID"
    case associationEmpty = "ASSOCIATION_EMPTY"
    case launchURLOfNoApplication = "LAUNCH_URL_OF_NO_APPLICATION"
    case storeIdentifierOfNoApplication = "STORE_ID_OF_NO_APPLICATION"
    case networkUnknown = "NETWORK_UNKNOWN"
    case cardExists = "CARD_EXISTS"
    case cardAmbiguous = "CARD_REFERENCE_AMBIGUOUS"
    case cardClosed = "CARD_IS_CLOSED"
    case tokenExists = "TOKEN_EXISTS"
    case tokenPresent = "TOKEN_ALREADY_ON_DEVICE"
    case credentialNetwork = "CREDENTIAL_NETWORK_UNKNOWN"
    case credentialNotFound = "CREDENTIAL_NOT_FOUND"
    case credentialOfFixtures = "CREDENTIAL_OF_FIXTURES"
    case payloadKeyNotFound = "PAYLOAD_KEY_NOT_FOUND"
    case payloadKeyLast = "PAYLOAD_KEY_LAST_ACTIVE"
    case diagnosisNotFound = "DIAGNOSIS_NOT_FOUND"
    case consumerNotFound = "CONSUMER_NOT_FOUND"
    case consumerIDForm = "CONSUMER_ID_FORM"
    case privateKeyNotHeld = "PRIVATE_KEY_NOT_HELD"
    case callbackNotFound = "CALLBACK_NOT_FOUND"
    case journalEntryNotFound = "JOURNAL_ENTRY_NOT_FOUND"
    case tenantExists = "TENANT_EXISTS"
    case tenantIsDefault = "TENANT_IS_DEFAULT"
    case queryUnknown = "QUERY_PARAMETER_UNKNOWN"
    case queryRepeated = "QUERY_PARAMETER_REPEATED"
    case queryEncoding = "QUERY_PARAMETER_ENCODING"
}

extension ControlFault {
    package var meaning: (kind: RefusalKind, cause: String, cure: String) {
        switch self {
        case .fieldInvalid:
            (.malformed, "A member of the body has a wrong type or value.", "See the pointer and the detail.")
        case .bodyNotObject: (.malformed, "The body is not a JSON object.", "Send one JSON object.")
        case .tokenMissing:
            (
                .unauthenticated, "The control API wants a token.",
                "Send Authorization: Bearer <token>, as given by --control-token or printed at start."
            )
        case .tokenWrong:
            (
                .unauthenticated, "The control token is wrong.",
                "Use the token the server was started with, or one that was made for your tenant."
            )
        case .tokenOfOtherTenant:
            (
                .notEntitled, "The token is for another tenant than the one that is named.",
                "Leave the tenant's name out, or use that tenant's token."
            )
        case .tokenOfTenant:
            (
                .notEntitled, "The token is for one tenant, and the call is about the whole server.",
                "Use the token the server was started with."
            )
        case .tokenReads:
            (
                .notEntitled, "The token only reads.",
                "Use one with access full: POST /v1/tenants/{name}/tokens."
            )
        case .accessTokenNotFound:
            (.notFound, "The tenant has no such token.", "List them: GET /v1/tenants/{name}/tokens.")
        case .accessTokenLimit:
            (
                .conflict, "The tenant has as many tokens as it may have.",
                "Remove one: DELETE /v1/tenants/{name}/tokens/{id}."
            )
        case .hostForeign:
            (
                .notEntitled, "The request names a host that is not this server.",
                "Use a loopback address, allow the name with --control-allow-host, or start with --control-token."
            )
        case .originForeign:
            (
                .notEntitled, "The request comes from a web page of another origin.",
                "Send it from a program; pages must not change or read worlds."
            )
        case .issuerNotFound: (.notFound, "There is no such issuer.", "Put it first: PUT /v1/issuers/{issuerId}.")
        case .issuerExists: (.conflict, "The issuer exists.", "Change it with PUT.")
        case .issuerIDForm:
            (
                .malformed, "An issuerId has exactly ten characters of A–Z, a–z, 0–9 and _.",
                "Use ten characters, for example MYBANK0001."
            )
        case .issuerHasCards:
            (.conflict, "The issuer has cards.", "Begin with another issuerId; cards go only with their world.")
        case .keyInvalid:
            (
                .malformed, "A key cannot be used.",
                "Give a PEM public key, a JWK or a certificate; the detail says what is wrong."
            )
        case .keyNameTaken:
            (
                .malformed, "Two keys of the issuer have one use and one kid.",
                "Give each key of a use a kid of its own; the same key may have two."
            )
        case .diagnosisNotFound: (.notFound, "There is no such diagnosis code.", "List them: GET /v1/diagnoses.")
        case .consumerNotFound:
            (.notFound, "There is no such consumer.", "Put it: PUT /v1/issuers/{issuerId}/consumers/{consumerId}.")
        case .consumerIDForm:
            (
                .malformed, "A consumerId is 1 to 64 of A–Z a–z 0–9 _ -, and no card number.",
                "Use an id of the consumer's own."
            )
        case .privateKeyNotHeld:
            (
                .conflict, "The sandbox does not hold the issuer's private key.",
                "Sign with the issuer's own program, or use an issuer of the fixtures."
            )
        case .credentialNetwork:
            (.malformed, "No face takes credentials of this network.", "See the detail for those that do.")
        case .credentialNotFound: (.notFound, "There is no such credential.", "List them: GET /v1/credentials.")
        case .credentialOfFixtures:
            (.conflict, "The credential is one of the fixtures.", "Only one that was made in the tenant is removed.")
        case .payloadKeyNotFound:
            (.notFound, "There is no such payload key.", "List them: GET /v1/payload-certificates.")
        case .payloadKeyLast:
            (.conflict, "It is the only active payload key.", "Make a new one first: POST /v1/payload-keys/rotate.")
        case .applicationNotFound:
            (.notFound, "There is no such application.", "Put it first: PUT /v1/applications/{TEAMID.bundle}.")
        case .applicationForm:
            (
                .malformed, "The name is not TEAMID.bundle.id, or holds a card number.",
                "Ten capital letters or digits, a dot, the bundle id; no wildcard."
            )
        case .associationEntry:
            (
                .malformed, "An entry of associatedApplicationIdentifiers is not TEAMID.bundle.id.",
                "A wildcard is .* at the end."
            )
        case .associationSingular:
            (
                .malformed, "The member is written associatedApplicationIdentifier.",
                "The name is associatedApplicationIdentifiers, a list."
            )
        case .storeIdentifier:
            (.malformed, "A store identifier is not digits.", "Use the App Store's numeric id (Adam ID).")
        case .launchURLNeedsStore:
            (
                .malformed, "appLaunchURL without associatedStoreIdentifiers.",
                "Wallet opens the store when the app is missing; name the app there."
            )
        case .associationEmpty:
            (
                .warning, "No application is listed, so no app will see the pass.",
                "List the app and its extensions in associatedApplicationIdentifiers."
            )
        case .launchURLOfNoApplication:
            (
                .warning, "No registered application of the issuer opens this launch URL.",
                "Register its urlScheme: PUT /v1/applications/{TEAMID.bundle}; or correct appLaunchURL."
            )
        case .storeIdentifierOfNoApplication:
            (
                .warning, "A store id is of no registered application of the issuer.",
                "Register its storeIdentifier: PUT /v1/applications/{TEAMID.bundle}; or correct the list."
            )
        case .networkUnknown: (.malformed, "There is no such network.", "Use visa, mastercard, amex or discover.")
        case .cardExists:
            (.conflict, "The card is registered.", "Change it with POST /v1/cards/{issuerCardRefId}/events.")
        case .cardAmbiguous:
            (
                .conflict, "Two issuers use this reference.",
                "Name the issuer: issuerId in the body, or ?issuerId= for a card in the path."
            )
        case .cardClosed: (.conflict, "The card is closed for ever.", "Use another card.")
        case .tokenExists: (.conflict, "The token id is taken.", "Leave tokenId out, and one is made.")
        case .tokenPresent:
            (.conflict, "The card has a token on this device.", "Delete it first, or use another device.")
        case .callbackNotFound:
            (
                .notFound, "There is no such callback.",
                "List them: GET /v1/callbacks; the oldest make room for new ones."
            )
        case .journalEntryNotFound:
            (
                .notFound, "No request with this id is in the journal.",
                "The journal is bounded and per tenant; see dropped."
            )
        case .tenantExists: (.conflict, "The tenant exists.", "Choose another name, or delete it first.")
        case .tenantIsDefault:
            (
                .conflict, "The tenant default always exists.",
                "Reset it instead: POST /v1/tenants/default/reset."
            )
        case .queryUnknown:
            (
                .malformed, "The call has no query parameter of this name.",
                "Look at the parameters in GET /v1/openapi.json; the names are case-sensitive."
            )
        case .queryRepeated: (.malformed, "A query parameter is given more than once.", "Give each parameter once.")
        case .queryEncoding:
            (
                .malformed, "A query parameter is not percent-encoded UTF-8.",
                "After % come two hexadecimal digits; write % itself as %25."
            )
        }
    }
}

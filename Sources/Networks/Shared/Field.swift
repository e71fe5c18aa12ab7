package import Wire

/// The members that requests of the faces have, each with diagnosis codes of its own.
package enum Field: String, CaseIterable, Sendable {
    case accountId
    case action
    case activationCode
    case activationData
    case appGroupID
    case application
    case authorizationCode
    case assertion
    case auxiliaryScheme
    case cardArt
    case cardId
    case cardParams
    case cardParamsList
    case cardProductId
    case cardholderName
    case cards
    case certificateChain
    case consumerId
    case context
    case cvv
    case deviceId
    case email
    case encryptedData
    case encryptedPassData
    case encryptedPayload
    case encryptionScheme
    case ephemeralPublicKey
    case exp
    case expiration
    case firstName
    case grantType = "grant_type"
    case issuerId
    case issuerParamsList
    case issuerTokens
    case kind
    case language
    case last4
    case lastName
    case method
    case mobilePhoneNumber
    case name
    case nameOnCard
    case nonce
    case nonceSignature
    case on
    case pairedWith
    case pan
    case paymentNetwork
    case primaryAccountIdentifier
    case primaryAccountNumberSuffix
    case primaryAccountSuffix
    case productId
    case productTitle
    case reason
    case reasonCode
    case residencyAddress
    case scheme
    case scope
    case serialNumber
    case state
    case termsAccepted
    case tokenId
    case tokenRequestorId
    case value
    case variant
    case wrappedKey

    /// What can be wrong with any field.
    package enum Defect: String, CaseIterable, Sendable {
        case missing
        case empty
        case wrongType
        case malformed
    }

    /// For example `ENCRYPTED_PAYLOAD_MISSING`.
    package func code(_ defect: Defect) -> DiagnosisCode {
        switch defect {
        case .missing:
            DiagnosisCode(
                name: upperSnake + "_MISSING",
                kind: .missing,
                cause: "The request has no \(rawValue).",
                cure: "Add the member \(rawValue)."
            )
        case .empty:
            DiagnosisCode(
                name: upperSnake + "_EMPTY",
                kind: .missing,
                cause: "\(rawValue) is an empty text.",
                cure: "Give \(rawValue) a value."
            )
        case .wrongType:
            DiagnosisCode(
                name: upperSnake + "_WRONG_TYPE",
                kind: .malformed,
                cause: "\(rawValue) has another JSON type than documented.",
                cure: "See the evidence for the type that was found."
            )
        case .malformed:
            DiagnosisCode(
                name: upperSnake + "_MALFORMED",
                kind: .malformed,
                cause: "\(rawValue) cannot be read.",
                cure: "See the evidence for what was expected."
            )
        }
    }

    /// Where it stands in a body that has it at the top.
    package var place: Check.Place { .member(rawValue) }

    /// Longest text of the field, in bytes. Ids and names are short; what carries ciphertext is not.
    package var limit: Int {
        switch self {
        case .encryptedPayload: 3 << 20
        case .authorizationCode, .activationData, .encryptedPassData: 256 << 10
        default: 16 << 10
        }
    }

    /// Every code that a field can have.
    package static var codes: [DiagnosisCode] {
        allCases.flatMap { field in Defect.allCases.map { field.code($0) } }
    }

    /// `appGroupID` is `APP_GROUP_ID`: a run of capitals is one word.
    private var upperSnake: String {
        var text = ""
        var wasCapital = false
        for character in rawValue {
            if character.isUppercase, !wasCapital { text.append("_") }
            wasCapital = character.isUppercase
            text.append(contentsOf: character.uppercased())
        }
        return text
    }
}

/// Faults of a request's document that no single field has.
package enum DocumentFault: String, DiagnosisSubject {
    case notObject = "BODY_NOT_OBJECT"
    case unknownMember = "UNKNOWN_MEMBER"
    case hex = "ENC_HEX_INSTEAD_OF_B64"
    case base64URL = "ENC_B64URL"
    case lineBreaks = "ENC_B64_LINE_BREAKS"
    case pem = "ENC_PEM_INSTEAD_OF_B64"
    case doubleBase64 = "ENC_DOUBLE_BASE64"
    case unpadded = "ENC_B64_UNPADDED"
    case stringifiedArray = "ENC_STRINGIFIED_ARRAY"
    case stringifiedObject = "ENC_STRINGIFIED_OBJECT"
}

extension DocumentFault {
    /// What the code is about, in what way it refuses, and what to do about it.
    package var meaning: (kind: RefusalKind, cause: String, cure: String) {
        switch self {
        case .notObject: (.malformed, "The body is JSON, but not an object.", "Send one JSON object.")
        case .unknownMember:
            (
                .warning, "The body has a member the operation does not know.",
                "It is ignored; look for a spelling mistake."
            )
        case .hex:
            (
                .malformed, "Hexadecimal where base64 is wanted.",
                "Encode the bytes as base64, or use lenient strictness."
            )
        case .base64URL:
            (.malformed, "base64url where base64 is wanted.", "Use + and / with padding, or lenient strictness.")
        case .lineBreaks:
            (.malformed, "base64 with line breaks.", "Write the base64 on one line, or use lenient strictness.")
        case .pem:
            (
                .malformed, "PEM text where base64 of DER is wanted.",
                "Send the base64 between the PEM lines without breaks, or use lenient strictness."
            )
        case .doubleBase64:
            (.malformed, "The decoded bytes are base64 once more.", "Encode once, or use lenient strictness.")
        case .unpadded: (.malformed, "base64 without its padding.", "Add the = signs, or use lenient strictness.")
        case .stringifiedArray:
            (
                .malformed, "An array was sent as a text that holds JSON.",
                "Send the array itself, or use lenient strictness."
            )
        case .stringifiedObject:
            (
                .malformed, "An object with numbered members was sent for an array.",
                "Send an array, or use lenient strictness."
            )
        }
    }
}

/// The members of the requests of D1's issuer API.
package enum D1IssuerField: String, RequestField {
    case accountId
    case assertion
    case cardId
    case cardProductId
    case cards
    case consumerId
    case email
    case encryptedData
    /// In what `encryptedData` holds.
    case exp
    case firstName
    case grantType = "grant_type"
    case language
    case lastName
    case mobilePhoneNumber
    case nameOnCard
    case reason
    case reasonCode
    case residencyAddress
    case scope
    case state

    package static var hasOwnCodes: Bool { true }

    package var form: FieldForm {
        switch self {
        case .cards: .list(of: .object)
        case .mobilePhoneNumber, .residencyAddress: .object
        default: .text()
        }
    }
}

/// The members of the requests that D1's SDK makes.
package enum D1Field: String, PassKitField {
    case appGroupID
    case application
    case cardArt
    case cardId
    case cardParams
    case cardParamsList
    case certificateChain
    case consumerId
    case context
    case deviceId
    case issuerId
    case issuerParamsList
    case issuerTokens
    case last4
    case nonce
    case nonceSignature
    case productTitle
    case reason
    case value

    package static var hasOwnCodes: Bool { true }

    package var form: FieldForm {
        switch self {
        case .certificateChain: .list(of: .bytes(limit: 16_384))
        case .cardParams, .cardParamsList, .issuerParamsList: .list(of: .object)
        case .issuerTokens: .list(of: .text())
        case .nonce, .nonceSignature: PassKitFields.form
        default: .text()
        }
    }
}

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
        // Longer than its own rule allows, so that the rule can be told.
        case .cardArt: .text(limit: 24 << 20)
        case .cardParams: .listOrOne(of: .object)
        case .cardParamsList, .issuerParamsList: .list(of: .object)
        case .issuerTokens: .list(of: .text())
        case .nonce, .nonceSignature: PassKitFields.form
        default: .text()
        }
    }
}

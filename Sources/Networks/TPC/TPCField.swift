/// The members of TPC's requests.
package enum TPCField: String, PassKitField {
    case action
    case application
    case authorizationCode
    case auxiliaryScheme
    case cardholderName
    case certificateChain
    case deviceId
    case encryptedPayload
    case encryptionScheme
    case nonce
    case nonceSignature
    case primaryAccountIdentifier
    case primaryAccountNumberSuffix
    case primaryAccountSuffix
    case productId
    case scheme
    case tokenId
    case tokenRequestorId

    package static var hasOwnCodes: Bool { true }

    package var form: FieldForm {
        switch self {
        case .encryptedPayload: .text(limit: 3 << 20)
        case .authorizationCode: .text(limit: 256 << 10)
        case .certificateChain: .list(of: .bytes(limit: 16_384))
        case .nonce, .nonceSignature: PassKitFields.form
        default: .text()
        }
    }
}

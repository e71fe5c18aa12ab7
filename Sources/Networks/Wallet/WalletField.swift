/// The members of the wallet's requests, and what its queries have.
package enum WalletField: String, RequestField {
    case activationCode
    case activationData
    case application
    case cardholderName
    case cvv
    case encryptedPassData
    case encryptionScheme
    case ephemeralPublicKey
    case expiration
    case kind
    case last4
    case method
    case name
    case on
    case pairedWith
    case pan
    case paymentNetwork
    case primaryAccountIdentifier
    case primaryAccountSuffix
    case serialNumber
    case termsAccepted
    case variant
    case wrappedKey

    package static var hasOwnCodes: Bool { true }

    package var form: FieldForm {
        switch self {
        case .activationData: .bytes(limit: 8_192, textLimit: 256 << 10)
        case .encryptedPassData: .bytes(limit: 65_536, textLimit: 256 << 10)
        case .ephemeralPublicKey, .wrappedKey: .bytes(limit: 512)
        case .on, .termsAccepted: .flag
        default: .text()
        }
    }
}

package import Wire

/// What the wallet refuses by itself.
package enum WalletFault: String, DiagnosisSubject {
    case pairedDeviceUnknown = "PAIRED_DEVICE_UNKNOWN"
    case pairedWithItself = "PAIRED_WITH_ITSELF"
    case networkUnknown = "PAYMENT_NETWORK_UNKNOWN"
    case suffixForm = "PRIMARY_ACCOUNT_SUFFIX_FORM"
    case schemeUnsupported = "ENCRYPTION_SCHEME_UNSUPPORTED"
    case schemeSpelling = "ENCRYPTION_SCHEME_SPELLING"
    case notEntitled = "APP_NOT_ENTITLED"
    case appNotListed = "APP_NOT_LISTED_AT_NETWORK"
    case alreadyPresent = "ALREADY_PRESENT"
    case passIsActive = "VERIFICATION_OF_ACTIVE_PASS"
    case sessionUnknown = "SESSION_UNKNOWN"
    case sessionUsed = "SESSION_USED"
    case sessionExpired = "SESSION_EXPIRED"
    case sessionSlow = "SESSION_OVER_20_SECONDS"
    case termsRefused = "TERMS_REFUSED"
    case wrappedKey = "WRAPPEDKEY_IN_ECC"
    case passUnknown = "PASS_UNKNOWN"
    case noAppLaunchURL = "NO_APP_LAUNCH_URL"
    case variantUnknown = "VARIANT_UNKNOWN"
    case nothingToActivateWith = "ACTIVATION_CODE_OR_DATA_MISSING"
    case securityCodeForm = "CVV_FORM"
    case notPending = "PASS_NOT_PENDING"
}

extension WalletFault {
    package var meaning: (kind: RefusalKind, cause: String, cure: String) {
        switch self {
        case .pairedDeviceUnknown: (.malformed, "pairedWith names no device.", "Make the other device first.")
        case .pairedWithItself: (.malformed, "A device cannot be paired with itself.", "Name the other device.")
        case .networkUnknown:
            (
                .malformed, "paymentNetwork is not the PKPaymentNetwork of one of the four networks.",
                "Use Visa, MasterCard, AmEx or Discover, in this spelling."
            )
        case .suffixForm: (.malformed, "The suffix is not 4 or 5 digits.", "Send the last four digits of the card.")
        case .schemeUnsupported:
            (.malformed, "Only ECC_V2 is served.", "Send encryptionScheme EV_ECC_v2, or leave it out.")
        case .schemeSpelling:
            (.malformed, "The encryption scheme is not written EV_ECC_v2.", "PassKit's raw value is EV_ECC_v2.")
        case .notEntitled:
            (
                .notEntitled, "The application is unknown, or lacks com.apple.developer.payment-pass-provisioning.",
                "Register it: PUT /v1/applications/{TEAMID.bundle} with entitled true."
            )
        case .appNotListed:
            (
                .warning, "The issuer's pass metadata for the network does not list the application.",
                "The pass will be made, and the application will not see it."
            )
        case .passIsActive:
            (
                .warning, "The pass waits for no activation, so Wallet shows no button for this link.",
                "Make a yellow pass: a card that expires in 2042, or a manual entry."
            )
        case .alreadyPresent:
            (.conflict, "A pass with this FPAN id is already on the device.", "Offer the watch, or hide the button.")
        case .sessionUnknown:
            (
                .notFound, "There is no such provisioning session.",
                "Begin one: POST /wallet/apple/devices/{deviceId}/provisioning-sessions."
            )
        case .sessionUsed:
            (.conflict, "The session has already made a pass.", "Begin a new session; a nonce is good once.")
        case .sessionExpired: (.expired, "The session is older than 300 seconds.", "Begin a new session.")
        case .sessionSlow:
            (.warning, "The answer took longer than the 20 seconds PassKit waits.", "A real phone would have given up.")
        case .termsRefused: (.userCancelled, "The cardholder did not accept the terms.", "Send termsAccepted true.")
        case .wrappedKey:
            (
                .missing, "The key is in wrappedKey, which belongs to RSA_V2, while the session is EV_ECC_v2.",
                "Send the key as ephemeralPublicKey and leave wrappedKey out."
            )
        case .passUnknown:
            (
                .notFound, "No pass with this serial number is on the device.",
                "List them: GET /wallet/apple/devices/{deviceId}/passes."
            )
        case .noAppLaunchURL:
            (.conflict, "The pass has no appLaunchURL.", "Put it into the pass metadata and apply it.")
        case .variantUnknown:
            (
                .malformed, "There is no such variant of the verification link.",
                "Use \(VerificationLink.Variant.names), or none."
            )
        case .nothingToActivateWith:
            (.missing, "Neither activationCode nor activationData was sent.", "Send one of them.")
        case .securityCodeForm:
            (.malformed, "The security code is not 3 digits, or 4 for American Express.", "Send the code of the card.")
        case .notPending: (.transition, "The pass does not wait for activation.", "Only a yellow pass is activated.")
        }
    }
}

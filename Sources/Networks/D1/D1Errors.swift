import Core
import Traffic
import Web
import Wire

/// How D1 words a refusal to its SDK. Codes and names are published (thales-push-provisioning 4.6); which cause gives
/// which code is inferred where the SDK reference does not say it, and stands in this file only (CONTRACT, section 4).
enum D1Errors {
    static func answer(to failures: [Check], in exchange: Exchange) -> (response: HTTPResponse, deciding: Check) {
        let deciding = failures.min { rank($0) < rank($1) } ?? failures[0]
        let diagnosis = deciding.code ?? HTTPFault.internalFault.code
        let error = error(of: deciding, diagnosis)
        let status =
            (diagnosis.subject as? HTTPFault)?.status ?? (diagnosis.kind == .unavailable ? 503 : error.status)
        var response = response(error, status: status, in: exchange)
        if diagnosis.kind == .unavailable { response.headers[.retryAfter] = "1" }
        return (response, deciding)
    }

    private static func response(_ error: D1SDKError, status: Int, in exchange: Exchange) -> HTTPResponse {
        let cause = cause(of: error, in: exchange, status: status)
        var body = JSONObject()
        if let code = error.code { body["code"] = .number(code) }
        body["name"] = .string(error.rawValue)
        body["message"] = .string(cause?.message ?? error.text)
        if let cause { body["cause"] = cause.json }
        return .json(.object(body), status: status)
    }

    /// By the SDK's name and, where it is published, by number.
    static let networkErrors: [NetworkError] = D1SDKError.allCases.flatMap { error in
        [error.rawValue, error.code.map { String($0) }].compactMap(\.self).map { name in
            NetworkError(name, error.text) { exchange in response(error, status: error.status, in: exchange) }
        }
    }

    /// What the SDK was told by the layer below it.
    private struct Cause {
        let message: String
        let json: JSON
    }

    private static func cause(of error: D1SDKError, in exchange: Exchange, status: Int) -> Cause? {
        switch error {
        case .walletExtensionAppGroupIDNotFound:
            // Storage access: errSecItemNotFound, as it is seen in the field.
            return Cause(message: error.text, json: ["type": 2, "code": -25_300])
        case .card:
            let isList = ["d1.passEntries", "d1.remotePassEntries"].contains(exchange.operation)
            let message = isList ? "Server error" : "911. Operation failed .1"
            return Cause(message: message, json: server(status, message))
        case .core:
            let message = status == 401 ? "401. Wrong authentication" : "921. Unexpected server error"
            return Cause(message: message, json: server(status, message))
        default: return nil
        }
    }

    private static func server(_ status: Int, _ message: String) -> JSON {
        ["type": 3, "httpStatus": .number(status), "message": .string(message)]
    }

    /// What is answered when several things are wrong: the session first, then what was sent, then what it is about.
    private static func rank(_ check: Check) -> Int {
        // Without a configuration the SDK does not get as far as the tokens.
        if let code = check.code, code == D1Fault.notConfigured.code || code == D1Fault.appGroupDiffers.code {
            return 2
        }
        return switch check.code?.kind {
        case .internalFault, .unavailable, .methodNotAllowed, .notImplemented, .unsupportedMedia, .tooLarge: 0
        case .missing, .malformed: isToken(check) ? 3 : 1
        case .unauthenticated: 3
        case .notFound, .unknownIssuer, .unknownToken, .notDigitized, .notEntitled: 4
        case .declined, .invalidData, .transition, .activation, .expired, .conflict, .userCancelled: 5
        case .undecryptable, .untrusted, .contentMissing, .contentMalformed: 6
        case .warning, nil: 7
        }
    }

    /// Whether it is about one of the tokens of a login, and not about their list.
    private static func isToken(_ check: Check) -> Bool {
        check.place?.isInside(D1Field.issuerTokens.rawValue) == true
    }

    private static func error(of check: Check, _ diagnosis: DiagnosisCode) -> D1SDKError {
        if let fault = diagnosis.subject as? D1Fault, let own = error(of: fault) { return own }
        if let fault = diagnosis.subject as? BindingFault {
            return fault == .expired ? .clientBindingCertificateExpired : .invalidBindingHash
        }
        switch diagnosis.kind {
        case .missing, .malformed, .methodNotAllowed, .notImplemented, .unsupportedMedia, .tooLarge:
            return isToken(check) ? .core : .invalidArgument
        case .unauthenticated, .internalFault, .unavailable: return .core
        case .unknownToken: return .cardNotFound
        case .notEntitled: return .notAuthorized
        case .notFound, .unknownIssuer: return .invalidArgument
        case .transition: return .cardOperationNotAllowed
        case .userCancelled: return .cancelled
        case .declined, .invalidData, .activation, .expired, .conflict, .notDigitized, .undecryptable, .untrusted,
            .contentMissing, .contentMalformed, .warning:
            return .card
        }
    }

    private static func error(of fault: D1Fault) -> D1SDKError? {
        switch fault {
        case .appGroupInvalid: .invalidAppGroupID
        case .appGroupDiffers, .notConfigured: .walletExtensionAppGroupIDNotFound
        case .consumerIDMissing: .walletExtensionConsumerIDNotFound
        case .sessionMissing, .sessionUnknown, .sessionExpired: .notLoggedIn
        case .cardUnknown, .digitalCardUnknown: .cardNotFound
        case .cardOfOther, .digitalCardOfOther, .applicationNotEntitled: .notAuthorized
        case .cardNotActive, .consumerNotActive: .notActive
        case .nothingPending: .cardNoPendingIDV
        case .operationNotAllowed: .cardOperationNotAllowed
        case .reasonInvalid: .cardOperationInvalidReason
        case .entryCardInvalid: .card
        case .applicationUnknown, .deviceUnknown, .contextUnknown, .contextMismatch, .identifierForm, .issuerUnknown,
            .parametersEmpty, .parametersTwice, .last4Form, .bindingValueForm, .bindingValueTaken, .cardArtUnreadable:
            .invalidArgument
        case .last4Mismatch, .cardArt, .issuerNotLoggedIn, .consumerNotLoggedIn, .cardAlreadyAdded, .extensionUnknown,
            .sharedDevice, .sharedSuffix, .noWatch:
            nil
        }
    }
}

/// `D1Error.Code` of the iOS SDK: the raw value is the name.
enum D1SDKError: String, CaseIterable {
    case cancelled
    case notLoggedIn
    case notAuthorized
    case cardNotFound
    case notActive
    case invalidAppGroupID
    case core
    case walletExtensionConsumerIDNotFound
    case walletExtensionAppGroupIDNotFound
    case card
    case cardNoPendingIDV
    case cardOperationNotAllowed
    case cardOperationInvalidReason
    case notInitialized
    case invalidArgument
    // Since 4.4.0, numbers not published.
    case invalidBindingHash
    case clientBindingCertificateExpired

    /// Nil when the number is not published.
    var code: Int? {
        switch self {
        case .cancelled: 10_001
        case .notLoggedIn: 10_005
        case .notAuthorized: 10_006
        case .cardNotFound: 10_009
        case .notActive: 10_010
        case .invalidAppGroupID: 10_011
        case .core: 20_001
        case .walletExtensionConsumerIDNotFound: 20_008
        case .walletExtensionAppGroupIDNotFound: 20_009
        case .card: 40_001
        case .cardNoPendingIDV: 40_003
        case .cardOperationNotAllowed: 40_011
        case .cardOperationInvalidReason: 40_012
        case .notInitialized: 60_001
        case .invalidArgument: 60_002
        case .invalidBindingHash, .clientBindingCertificateExpired: nil
        }
    }

    /// Problems of session and token are 401, all others 400.
    var status: Int {
        switch self {
        case .notLoggedIn, .core, .invalidBindingHash, .clientBindingCertificateExpired: 401
        default: 400
        }
    }

    var text: String {
        switch self {
        case .cancelled: "Cancelled by the user"
        case .notLoggedIn: "Not logged in"
        case .notAuthorized: "Not authorized"
        case .cardNotFound: "Card not found"
        case .notActive: "Consumer or card is not active"
        case .invalidAppGroupID: "App Group container not found"
        case .core: "Core error"
        case .walletExtensionConsumerIDNotFound: "Wallet extension: consumer id not found"
        case .walletExtensionAppGroupIDNotFound: "Wallet extension: App Group not found"
        case .card: "Card operation failed"
        case .cardNoPendingIDV: "No card is pending identification"
        case .cardOperationNotAllowed: "Card operation not allowed"
        case .cardOperationInvalidReason: "Card operation: invalid reason"
        case .notInitialized: "Not initialized"
        case .invalidArgument: "Invalid argument"
        case .invalidBindingHash: "The binding hash is missing or wrong"
        case .clientBindingCertificateExpired: "The binding hash has expired"
        }
    }
}

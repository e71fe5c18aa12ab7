import Traffic
import Web
import Wire

/// How the wallet words a refusal: PassKit's three errors, with the sandbox's reason beside them.
///
/// Values of `PKAddPaymentPassError` (apple-pay-provisioning 10).
enum WalletErrors {
    enum PassKitError: Int, CaseIterable {
        case unsupported = 0
        case userCancelled = 1
        case systemCancelled = 2

        /// The status of a refusal that is about nothing more exact.
        var status: Int { self == .unsupported ? 403 : 422 }

        var name: String {
            switch self {
            case .unsupported: "unsupported"
            case .userCancelled: "userCancelled"
            case .systemCancelled: "systemCancelled"
            }
        }
    }

    static func answer(to failures: [Check], in exchange: Exchange) -> (response: HTTPResponse, deciding: Check) {
        let deciding = failures.min { rank($0) < rank($1) } ?? failures[0]
        let code = deciding.code ?? HTTPFault.internalFault.code
        let error = passKitError(code.kind)
        var body = body(error, reason: code.name, in: exchange)
        for member in exchange.errorMembers.members { body[member.key] = member.value }
        var response = HTTPResponse.json(.object(body), status: status(code))
        if code.kind == .unavailable { response.headers[.retryAfter] = "1" }
        return (response, deciding)
    }

    private static func body(_ error: PassKitError, reason: String, in exchange: Exchange) -> JSONObject {
        JSONObject([
            (
                "error",
                [
                    "domain": "PKPassKitErrorDomain", "code": .number(error.rawValue), "name": .string(error.name),
                ]
            ),
            ("reason", .string(reason)), ("requestId", .string(exchange.requestID)),
        ])
    }

    /// PassKit's three errors, what networks and issuers refuse with, and what Apple's broker answers when the app's
    /// store id is not on its list: a page, not JSON (field-cases, row 2).
    static let networkErrors: [NetworkError] =
        PassKitError.allCases.map { error in
            NetworkError(error.name, "PKPassKitErrorDomain \(error.rawValue)") { exchange in
                .json(.object(body(error, reason: FaultCode.injected.rawValue, in: exchange)), status: error.status)
            }
        }
        + refusals.map { name, description in
            NetworkError(name, description) { exchange in
                .json(.object(body(.systemCancelled, reason: name, in: exchange)), status: 422)
            }
        }
        + [
            NetworkError("ADAM_ID_NOT_LISTED", "the app's store id is not allow-listed: an HTML page with 500") { _ in
                HTTPResponse(
                    status: 500,
                    headers: HTTPHeaders([(.contentType, "text/html;charset=UTF-8")]),
                    body: Array("<html><head><title>500</title></head><body>Internal Server Error</body></html>".utf8)
                )
            }
        ]

    /// Words of the networks, which a phone is never told: it sees `systemCancelled`.
    private static let refusals = [
        ("PAN_INELIGIBLE", "the network: the card's range takes no part"),
        ("INVALID_PAN", "the network: the card number is not known"),
        ("NO_RESPONSE_FROM_ISSUER", "the network: the issuer did not answer in time"),
        ("ISSUER_DECLINED", "the issuer said no"),
    ]

    /// What is answered when several things are wrong: what the path names first, then form, then right, then the rest.
    private static func rank(_ check: Check) -> Int {
        switch check.code?.kind {
        case .internalFault, .unavailable, .methodNotAllowed, .notImplemented, .unsupportedMedia, .tooLarge: 0
        case .notFound, .unknownIssuer, .unknownToken, .notDigitized: 1
        case .missing, .malformed: 2
        case .notEntitled: 3
        case .userCancelled: 4
        case .conflict, .expired: 5
        case .undecryptable, .untrusted, .contentMissing, .contentMalformed: 6
        case .unauthenticated, .invalidData, .activation: 7
        case .transition, .declined: 8
        case .warning, nil: 9
        }
    }

    private static func passKitError(_ kind: RefusalKind) -> PassKitError {
        switch kind {
        case .notEntitled: .unsupported
        case .userCancelled: .userCancelled
        default: .systemCancelled
        }
    }

    private static func status(_ code: DiagnosisCode) -> Int {
        if let fault = code.subject as? HTTPFault { return fault.status }
        return switch code.kind {
        case .missing, .malformed: 400
        case .notEntitled: 403
        case .notFound, .unknownIssuer, .unknownToken, .notDigitized: 404
        case .methodNotAllowed: 405
        case .conflict, .transition: 409
        case .expired: 410
        case .tooLarge: 413
        case .unsupportedMedia: 415
        case .userCancelled, .undecryptable, .untrusted, .contentMissing, .contentMalformed, .unauthenticated,
            .invalidData, .activation, .declined, .warning:
            422
        case .internalFault: 500
        case .notImplemented: 501
        case .unavailable: 503
        }
    }
}

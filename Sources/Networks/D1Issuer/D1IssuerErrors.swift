import Traffic
import Web
import Wire

/// How D1 words a refusal to an issuer's backend (thales-push-provisioning 5.7). Which mistake gives which word is
/// inferred beyond the published table, and stands in this file only.
enum D1IssuerErrors {
    static func answer(to failures: [Check]) -> (response: HTTPResponse, deciding: Check) {
        let deciding = failures.min { rank($0) < rank($1) } ?? failures[0]
        let code = deciding.code ?? HTTPFault.internalFault.code
        let status = (code.subject as? HTTPFault)?.status ?? status(code.kind)
        var response = HTTPResponse.json(body(deciding, code, status: status), status: status)
        if code.kind == .unavailable { response.headers[.retryAfter] = "1" }
        return (response, deciding)
    }

    /// The published words (thales-push-provisioning 5.7); a fault has no field to name.
    static let networkErrors: [NetworkError] = [
        ("AUTHORIZER_UNAUTHORIZED", 401, ["errorCode": "AUTHORIZER_UNAUTHORIZED", "error": "Unauthorized"]),
        ("FIELD_INVALID_FORMAT", 400, ["errorCode": "FIELD_INVALID_FORMAT", "error": "-"]),
        ("FIELD_INVALID_VALUE", 400, ["errorCode": "FIELD_INVALID_VALUE", "error": "-"]),
        ("FORBIDDEN", 403, ["errorCode": "-", "error": "Forbidden"]),
        ("NOT_FOUND", 404, ["errorCode": "-", "error": "Not Found"]),
        ("INTERNAL_SERVER_ERROR", 500, ["error": "Internal Server Error"]),
    ].map { (name: String, status: Int, body: JSON) in
        NetworkError(name, "answered with \(status)") { _ in .json(body, status: status) }
    }

    private static func body(_ check: Check, _ code: DiagnosisCode, status: Int) -> JSON {
        switch status {
        case 401: ["errorCode": "AUTHORIZER_UNAUTHORIZED", "error": "Unauthorized"]
        case 400: ["errorCode": .string(word(code.kind)), "error": .string(field(check))]
        case 403: ["errorCode": "-", "error": "Forbidden"]
        case 404: ["errorCode": "-", "error": "Not Found"]
        case 500: ["error": "Internal Server Error"]
        default: ["errorCode": "-", "error": .string(code.cause)]
        }
    }

    private static func word(_ kind: RefusalKind) -> String {
        switch kind {
        case .invalidData, .undecryptable: "FIELD_INVALID_VALUE"
        default: "FIELD_INVALID_FORMAT"
        }
    }

    /// The field that a check is about. A body that is not a JSON object is told as `json`.
    private static func field(_ check: Check) -> String {
        check.place.map { $0.field ?? "json" } ?? "body"
    }

    /// What is answered when several things are wrong: the caller, then the path, then the body, then the state.
    private static func rank(_ check: Check) -> Int {
        switch check.code?.kind {
        case .internalFault, .unavailable, .methodNotAllowed, .notImplemented, .unsupportedMedia, .tooLarge: 0
        case .unknownIssuer: 1
        case .unauthenticated, .notEntitled: 2
        case .missing, .malformed: 3
        case .undecryptable, .untrusted, .contentMissing, .contentMalformed, .invalidData: 4
        case .notFound, .unknownToken, .notDigitized: 5
        case .transition, .conflict, .declined, .expired, .activation, .userCancelled: 6
        case .warning, nil: 7
        }
    }

    private static func status(_ kind: RefusalKind) -> Int {
        switch kind {
        case .missing, .malformed, .invalidData, .undecryptable, .untrusted, .contentMissing, .contentMalformed,
            .warning:
            400
        case .unauthenticated: 401
        case .transition, .conflict, .declined, .expired, .activation, .userCancelled, .notEntitled: 403
        case .notFound, .unknownIssuer, .unknownToken, .notDigitized: 404
        case .methodNotAllowed: 405
        case .tooLarge: 413
        case .unsupportedMedia: 415
        case .internalFault: 500
        case .notImplemented: 501
        case .unavailable: 503
        }
    }
}

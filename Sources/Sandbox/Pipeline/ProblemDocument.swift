import Masking
import Traffic
import Web
import Wire

/// RFC 9457 `application/problem+json`, the control API's way to refuse.
enum ProblemDocument {
    /// - Parameter showsEvidence: the control API shows it, masked; on the API port it stays in the journal.
    static func answer(
        to failures: [Check],
        in exchange: Exchange,
        showsEvidence: Bool
    ) -> (response: HTTPResponse, deciding: Check) {
        let deciding = failures[0]
        let code = deciding.code ?? HTTPFault.internalFault.code
        let seen = showsEvidence ? deciding.evidence.map(Masking.text) : nil
        let status = status(code)
        let detail = [
            code.cause, seen.map { "Seen: \($0)" + ($0.hasSuffix(".") ? "" : ".") },
            showsEvidence ? deciding.hint.map(Masking.text) : code.cure,
        ]
        .compactMap { $0 }.joined(separator: " ")
        var body = JSONObject([
            ("type", "about:blank"), ("title", .string(code.cause)), ("status", .number(status)),
            ("code", .string(code.name)), ("detail", .string(detail)), ("requestId", .string(exchange.requestID)),
        ])
        switch deciding.place {
        case .body(let pointer): body["pointer"] = .string(Masking.text(pointer))
        case .query(let name): body["parameter"] = .string(Masking.text(name))
        case .header, .path, nil: break
        }
        var response = HTTPResponse.json(.object(body), status: status, contentType: "application/problem+json")
        if code.kind == .unavailable { response.headers[.retryAfter] = "1" }
        return (response, deciding)
    }

    private static func status(_ code: DiagnosisCode) -> Int {
        if let fault = code.subject as? HTTPFault { return fault.status }
        return switch code.kind {
        case .notFound, .unknownIssuer, .unknownToken, .notDigitized: 404
        case .conflict, .transition, .declined: 409
        case .unauthenticated: 401
        case .notEntitled: 403
        case .expired: 410
        case .tooLarge: 413
        case .unsupportedMedia: 415
        case .unavailable: 503
        case .internalFault: 500
        case .methodNotAllowed: 405
        case .notImplemented: 501
        case .warning, .missing, .malformed, .undecryptable, .untrusted, .contentMissing, .contentMalformed,
            .invalidData, .userCancelled, .activation:
            400
        }
    }
}

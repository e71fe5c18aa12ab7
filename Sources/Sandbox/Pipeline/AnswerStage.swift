import Core
import Masking
import Networks
import Traffic
import Web
import Wire

/// Words a refusal, and puts on the headers that every answer has.
struct AnswerStage: Sendable {
    /// The control API always names the tenant an answer is about; a face only to a request that named one.
    let isControl: Bool

    /// The face's answer to the failed checks, sealed.
    func refuse(_ progress: inout RequestInProgress) async -> HTTPResponse {
        if !progress.exchange.isRefused { progress.exchange.note(.failed("sandbox", HTTPFault.internalFault)) }
        let face = progress.destination.face
        var (response, deciding) = face.answer(to: progress.exchange.failures, in: progress.exchange)
        // It chose nothing, but it may be why: a request that meant one world was answered by another.
        progress.exchange.checks = progress.exchange.checks.map { check in
            guard check.passed, check.code == HTTPFault.credentialAmbiguous.code else { return check }
            return .failed(check.name, HTTPFault.credentialAmbiguous, at: check.place, evidence: check.evidence)
        }
        if deciding.code == HTTPFault.methodNotAllowed.code { response.headers[.allow] = progress.allowedMethods }
        // What would be taken (RFC 9110, sections 12.5.3 and 15.5.16).
        if deciding.code == HTTPFault.contentEncoding.code { response.headers[.acceptEncoding] = "gzip" }
        progress.deciding = deciding
        return await face.seal(response, isRefusal: true, in: progress.exchange)
    }

    /// The answer to `OPTIONS` on a path that exists, also to a browser's question before its request.
    func options(_ progress: RequestInProgress) -> HTTPResponse {
        var response = HTTPResponse.empty(status: 204)
        let allowed = progress.allowedMethods
        response.headers[.allow] = allowed
        let headers = progress.exchange.request.headers
        guard !isControl, headers[.origin] != nil, headers[.requestMethod] != nil else { return response }
        response.headers[.allowMethods] = allowed
        // The star is every name but this one.
        response.headers[.allowHeaders] = "*, authorization"
        response.headers[.maxAge] = "600"
        return response
    }

    func decorate(_ response: inout HTTPResponse, _ progress: RequestInProgress) {
        let exchange = progress.exchange
        let tellsMore = exchange.settings.diagnosisHeader
        response.headers[.requestID] = exchange.requestID
        if isControl || (progress.isTenantNamed && tellsMore) {
            response.headers[.sandboxTenant] = exchange.tenant.text
            if progress.createdTenant { response.headers[.sandboxTenantCreated] = "true" }
        }
        if tellsMore {
            if let fault = exchange.orders.fault { response.headers[.sandboxFaultApplied] = fault }
            let codes = progress.diagnosis
            if !codes.isEmpty { response.headers[.sandboxDiagnosis] = codes.joined(separator: ",") }
            if exchange.settings.hintHeader, let hint = progress.deciding?.hint {
                // A header is one line of ASCII.
                let text = Masking.text(hint).unicodeScalars.map {
                    (0x20...0x7E).contains($0.value) ? Character($0) : "?"
                }
                response.headers[.sandboxHint] = String(text)
            }
            let notices = progress.notices(besides: codes)
            if !notices.isEmpty { response.headers[.sandboxNotice] = notices.joined(separator: ",") }
        }
        let members = progress.unknownMembers
        if !members.isEmpty {
            response.headers[.sandboxWarning] =
                "\(DocumentFault.unknownMember.rawValue) \(members.joined(separator: ", "))"
        }
        if tellsMore, response.status >= 400 {
            response.headers[.sandboxRetryable] = progress.isRetryable(response) ? "true" : "false"
        }
        // Pages of other origins may call the faces (Fetch, section 3.2): tests that run in a browser need it, and a face
        // has nothing that is not for every caller of the port. The control API gives nothing to other origins: it needs
        // no token on loopback, and a page must not change the worlds of whoever looks at it. An answer that a fault made
        // may have its own.
        if !isControl, exchange.request.headers[.origin] != nil, response.headers[.allowOrigin] == nil {
            response.headers[.allowOrigin] = "*"
            response.headers[.exposeHeaders] = "*"
        }
    }
}

extension RequestInProgress {
    /// The methods of a path, when the request's is not one of them.
    fileprivate var allowedMethods: String? {
        guard case .wrongMethod(let allowed)? = obstacle else { return nil }
        return RouteStage.list(allowed)
    }

    /// Whether the same request may succeed later, for a client that sends it again by itself: what cannot be answered now
    /// (RFC 9110, sections 15.5.9, 15.6.3 to 15.6.5; RFC 6585, section 4), also in a face that words it as something else.
    fileprivate func isRetryable(_ response: HTTPResponse) -> Bool {
        [408, 429, 502, 503, 504].contains(response.status) || deciding?.code?.kind == .unavailable
    }
}

extension HTTPHeaderName {
    fileprivate static let requestMethod = HTTPHeaderName("access-control-request-method")
    fileprivate static let allowOrigin = HTTPHeaderName("access-control-allow-origin")
    fileprivate static let allowMethods = HTTPHeaderName("access-control-allow-methods")
    fileprivate static let allowHeaders = HTTPHeaderName("access-control-allow-headers")
    fileprivate static let exposeHeaders = HTTPHeaderName("access-control-expose-headers")
    fileprivate static let maxAge = HTTPHeaderName("access-control-max-age")
}

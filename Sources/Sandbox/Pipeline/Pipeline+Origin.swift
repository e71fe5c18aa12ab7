import Traffic
import Web

/// Lets pages of other origins call the faces (Fetch, section 3.2): tests that run in a browser need it.
///
/// Any origin may, because a face has nothing that is not for every caller of the port. The control API gives nothing to
/// other origins: it needs no token on loopback, and a page must not change the worlds of whoever looks at it.
extension Pipeline {
    /// Puts on what a browser asks for; nothing for a client that is none.
    func allowOrigin(_ response: inout HTTPResponse, _ request: HTTPRequest) {
        // An answer that a fault made may have its own.
        guard !isControl, request.headers[.origin] != nil, response.headers[.allowOrigin] == nil else { return }
        response.headers[.allowOrigin] = "*"
        response.headers[.exposeHeaders] = "*"
    }

    /// The answer to `OPTIONS` on a path that exists, also to a browser's question before its request.
    func options(_ visit: Visit) -> HTTPResponse {
        var response = HTTPResponse.empty(status: 204)
        let allowed = allowed(visit)
        response.headers[.allow] = allowed
        let headers = visit.exchange.request.headers
        guard !isControl, headers[.origin] != nil, headers[.requestMethod] != nil else { return response }
        response.headers[.allowMethods] = allowed
        // The star is every name but this one.
        response.headers[.allowHeaders] = "*, authorization"
        response.headers[.maxAge] = "600"
        return response
    }

    /// The methods of a path, when the request's is none of them.
    func allowed(_ visit: Visit) -> String? {
        guard case .wrongMethod(let allowed) = visit.match else { return nil }
        return allowed.map(\.rawValue).joined(separator: ", ")
    }
}

extension HTTPHeaderName {
    fileprivate static let origin = HTTPHeaderName("origin")
    fileprivate static let requestMethod = HTTPHeaderName("access-control-request-method")
    fileprivate static let allowOrigin = HTTPHeaderName("access-control-allow-origin")
    fileprivate static let allowMethods = HTTPHeaderName("access-control-allow-methods")
    fileprivate static let allowHeaders = HTTPHeaderName("access-control-allow-headers")
    fileprivate static let exposeHeaders = HTTPHeaderName("access-control-expose-headers")
    fileprivate static let maxAge = HTTPHeaderName("access-control-max-age")
}

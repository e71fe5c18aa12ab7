/// A request method (RFC 9110, section 9).
package struct HTTPMethod: RawRepresentable, Hashable, Sendable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    package static let get = HTTPMethod(rawValue: "GET")
    package static let head = HTTPMethod(rawValue: "HEAD")
    package static let post = HTTPMethod(rawValue: "POST")
    package static let put = HTTPMethod(rawValue: "PUT")
    package static let patch = HTTPMethod(rawValue: "PATCH")
    package static let delete = HTTPMethod(rawValue: "DELETE")
    package static let options = HTTPMethod(rawValue: "OPTIONS")
    package static let trace = HTTPMethod(rawValue: "TRACE")

    /// The methods that the server recognizes: one that a path does not have is answered 405, any other 501 (RFC 9110,
    /// section 9.1). No path has TRACE. CONNECT asks for a tunnel, which is no resource to say 405 about.
    package static let known: Set<HTTPMethod> = [.get, .head, .post, .put, .patch, .delete, .options, .trace]
}

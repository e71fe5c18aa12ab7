/// A request method (RFC 9110, section 9).
package struct HTTPMethod: RawRepresentable, Hashable, Sendable {
    /// The word as it stands in the request line; its case matters.
    package let rawValue: String
    /// Any word; ``known`` says whether the server has heard of it.
    package init(rawValue: String) { self.rawValue = rawValue }

    /// Reads.
    package static let get = HTTPMethod(rawValue: "GET")
    /// Reads, and gets the header fields only.
    package static let head = HTTPMethod(rawValue: "HEAD")
    /// Makes something, or asks for an operation.
    package static let post = HTTPMethod(rawValue: "POST")
    /// Makes or replaces the resource.
    package static let put = HTTPMethod(rawValue: "PUT")
    /// Changes parts of the resource.
    package static let patch = HTTPMethod(rawValue: "PATCH")
    /// Removes the resource.
    package static let delete = HTTPMethod(rawValue: "DELETE")
    /// Asks for the methods of a path.
    package static let options = HTTPMethod(rawValue: "OPTIONS")
    /// Asks for the request back. No path has it.
    package static let trace = HTTPMethod(rawValue: "TRACE")

    /// The methods that the server recognizes: one that a path does not have is answered 405, any other 501 (RFC 9110,
    /// section 9.1). No path has TRACE. CONNECT asks for a tunnel, which is not a resource to say 405 about.
    package static let known: Set<HTTPMethod> = [.get, .head, .post, .put, .patch, .delete, .options, .trace]
}

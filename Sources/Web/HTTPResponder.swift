/// What answers requests: the application behind a listener, or behind the in-process test client.
package protocol HTTPResponder: Sendable {
    /// Looks at a head whose body has not arrived yet. A response refuses it: it is sent instead of `100 Continue`,
    /// and the connection is closed after it. Nil lets the body come; `respond(to:)` makes the same checks again.
    func refusal(of head: HTTPRequest) async -> HTTPResponse?

    /// Answers a whole request.
    func respond(to request: HTTPRequest) async -> HTTPResponse

    /// Answers bytes that are not a request this server reads.
    func respond(to broken: BrokenRequest) async -> HTTPResponse
}

/// What is known of a request that could not be framed.
package struct BrokenRequest: Sendable {
    /// Why it could not be framed; the status that answers it is behind each.
    package enum Reason: String, Sendable, CaseIterable {
        /// The bytes break HTTP/1.1 framing (400).
        case framing
        /// The request line asks for a version other than 1.0 and 1.1 (505).
        case version
        /// The server does not know the method (501).
        case method
        /// The request target is too long (414).
        case targetTooLong
        /// The header fields are too large (431).
        case headersTooLarge
        /// The body is too large (413).
        case bodyTooLarge
        /// A transfer coding other than chunked (501).
        case transferCoding
        /// An expectation other than 100-continue (417).
        case expectation
        /// No Host, or more than one (400).
        case host
        /// The client did not finish the request in time (408).
        case timeout
        /// Too many requests are in flight (503).
        case overloaded
    }

    /// The first thing that was wrong.
    package var reason: Reason
    /// What exactly was seen, in words that are safe to print.
    package var detail: String
    /// Method, target and headers as far as they were read.
    package var head: HTTPRequest?
    /// Address of the client, without the port.
    package var peer: String

    /// What Transport knows when it gives up on a request.
    package init(reason: Reason, detail: String, head: HTTPRequest?, peer: String) {
        self.reason = reason
        self.detail = detail
        self.head = head
        self.peer = peer
    }
}

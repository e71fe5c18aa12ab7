package import Wire

/// One answer as a value, with the way it is to be delivered.
package struct HTTPResponse: Sendable {
    /// A three-digit status code (RFC 9110, section 15).
    package var status: Int
    /// Without `Content-Length`, `Connection` and `Date`, which Transport adds.
    package var headers: HTTPHeaders
    /// The whole body.
    package var body: [UInt8]
    /// How Transport hands it over.
    package var delivery: Delivery
    /// JSON pointers to the members of the body that hold base64 from OpenSSL's generator, or made with a key from it: no
    /// seed decides them. Nothing of this goes over the wire; the journal keeps their lengths only.
    package var randomMembers: [String] = []
    /// Called at most once, when the client leaves before an answer that is held back or sent slowly has come to its end.
    /// Nothing of this goes over the wire.
    package var clientLeft: (@Sendable () async -> Void)?

    /// An answer that is delivered as usual unless it says otherwise.
    package init(
        status: Int,
        headers: HTTPHeaders = HTTPHeaders(),
        body: [UInt8] = [],
        delivery: Delivery = .normal
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.delivery = delivery
    }

    /// An answer with a JSON document.
    package static func json(_ value: JSON, status: Int = 200, contentType: String = "application/json") -> HTTPResponse
    {
        HTTPResponse(
            status: status,
            headers: HTTPHeaders([(.contentType, contentType)]),
            body: value.bytes
        )
    }

    /// The same answer, with members that no seed decides; see ``randomMembers``.
    package func withRandom(_ pointers: [String]) -> HTTPResponse {
        var response = self
        response.randomMembers = pointers
        return response
    }

    /// An answer without a body.
    package static func empty(status: Int) -> HTTPResponse { HTTPResponse(status: status) }
}

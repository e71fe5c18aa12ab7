package import Wire

/// One answer as a value, with the way it is to be delivered.
package struct HTTPResponse: Sendable {
    package var status: Int
    package var headers: HTTPHeaders
    package var body: [UInt8]
    package var delivery: Delivery
    /// JSON pointers to the members of the body that hold base64 from OpenSSL's generator, or made with a key from it: no
    /// seed decides them. Nothing of this goes over the wire; the journal keeps their lengths only.
    package var randomMembers: [String] = []
    /// Called at most once, when the client leaves before an answer that is held back or sent slowly has come to its end.
    /// Nothing of this goes over the wire.
    package var clientLeft: (@Sendable () async -> Void)?

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

    package static func empty(status: Int) -> HTTPResponse { HTTPResponse(status: status) }
}

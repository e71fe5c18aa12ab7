package import Wire

/// One answer as a value, with the way it is to be delivered.
package struct HTTPResponse: Sendable {
    package var status: Int
    package var headers: HTTPHeaders
    package var body: [UInt8]
    package var delivery: Delivery

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

    package static func empty(status: Int) -> HTTPResponse { HTTPResponse(status: status) }
}

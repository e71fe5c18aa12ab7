/// A header name in lower case, so that comparison is by bytes.
package struct HTTPHeaderName: Hashable, Sendable {
    /// The name, lowercased; not checked to be a token of RFC 9110.
    package let text: String

    /// A name in any case.
    package init(_ text: String) { self.text = text.lowercased() }

    /// Media types that the client takes (RFC 9110, 12.5.1).
    package static let accept = HTTPHeaderName("accept")
    /// Methods that a path has, in answers to OPTIONS and with 405 (RFC 9110, 10.2.1).
    package static let allow = HTTPHeaderName("allow")
    /// The caller's credentials (RFC 9110, 11.6.2).
    package static let authorization = HTTPHeaderName("authorization")
    /// Whether an answer may be kept (RFC 9111, 5.2).
    package static let cacheControl = HTTPHeaderName("cache-control")
    /// Whether the connection goes on after the message (RFC 9110, 7.6.1).
    package static let connection = HTTPHeaderName("connection")
    /// Content codings that the client takes (RFC 9110, 12.5.3).
    package static let acceptEncoding = HTTPHeaderName("accept-encoding")
    /// The content coding of the body (RFC 9110, 8.4).
    package static let contentEncoding = HTTPHeaderName("content-encoding")
    /// Bytes of the body (RFC 9110, 8.6).
    package static let contentLength = HTTPHeaderName("content-length")
    /// The media type of the body (RFC 9110, 8.3).
    package static let contentType = HTTPHeaderName("content-type")
    /// When the answer was made, by the machine's clock (RFC 9110, 6.6.1).
    package static let date = HTTPHeaderName("date")
    /// `100-continue`, or something that is refused (RFC 9110, 10.1.1).
    package static let expect = HTTPHeaderName("expect")
    /// The authority that the client asks for (RFC 9110, 7.2).
    package static let host = HTTPHeaderName("host")
    /// The client's name for a request; the journal finds the request by it.
    package static let requestID = HTTPHeaderName("x-request-id")
    /// Seconds after which a client may try again (RFC 9110, 10.2.3).
    package static let retryAfter = HTTPHeaderName("retry-after")
    /// The page that a browser sends a request for (RFC 6454, section 7).
    package static let origin = HTTPHeaderName("origin")
    /// Codes of all that was wrong, with commas, the one that decided first.
    package static let sandboxDiagnosis = HTTPHeaderName("x-sandbox-diagnosis")
    /// What to do about what chose the answer.
    package static let sandboxHint = HTTPHeaderName("x-sandbox-hint")
    /// Codes of warnings, with commas.
    package static let sandboxNotice = HTTPHeaderName("x-sandbox-notice")
    /// A fault that the client orders for this one request.
    package static let sandboxFault = HTTPHeaderName("x-sandbox-fault")
    /// The fault rule that an answer comes from.
    package static let sandboxFaultApplied = HTTPHeaderName("x-sandbox-fault-applied")
    /// Whether the same request may succeed when it is sent again.
    package static let sandboxRetryable = HTTPHeaderName("x-sandbox-retryable")
    /// The world that a request is for, and the one that an answer is of.
    package static let sandboxTenant = HTTPHeaderName("x-sandbox-tenant")
    /// Members of a control call's document that nobody knows.
    package static let sandboxWarning = HTTPHeaderName("x-sandbox-warning")
    /// `true` when the request has made its tenant.
    package static let sandboxTenantCreated = HTTPHeaderName("x-sandbox-tenant-created")
    /// `chunked` or nothing (RFC 9112, 6.1).
    package static let transferEncoding = HTTPHeaderName("transfer-encoding")
    /// How a caller may show who it is, with 401 (RFC 9110, 11.6.1).
    package static let wwwAuthenticate = HTTPHeaderName("www-authenticate")
}

/// Header fields in the order received or to be sent; a name may repeat.
package struct HTTPHeaders: Sendable, Equatable {
    /// All fields, one for each line.
    package private(set) var fields: [(name: HTTPHeaderName, value: String)]

    /// Fields in their order.
    package init(_ fields: [(HTTPHeaderName, String)] = []) {
        self.fields = fields.map { (name: $0.0, value: $0.1) }
    }

    /// The first value of `name`; setting replaces every value of it.
    package subscript(name: HTTPHeaderName) -> String? {
        get { fields.first { $0.name == name }?.value }
        set {
            fields.removeAll { $0.name == name }
            if let newValue { fields.append((name: name, value: newValue)) }
        }
    }

    /// Every value of `name`, in order.
    package func all(_ name: HTTPHeaderName) -> [String] {
        fields.filter { $0.name == name }.map(\.value)
    }

    /// Adds a field behind all others, also where there is one of that name.
    package mutating func append(_ name: HTTPHeaderName, _ value: String) {
        fields.append((name: name, value: value))
    }

    /// Equal when the same fields stand in the same order.
    package static func == (left: Self, right: Self) -> Bool {
        left.fields.elementsEqual(right.fields) { $0.name == $1.name && $0.value == $1.value }
    }
}

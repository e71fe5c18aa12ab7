/// A header name in lower case, so that comparison is by bytes.
package struct HTTPHeaderName: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text.lowercased() }

    package static let accept = HTTPHeaderName("accept")
    package static let allow = HTTPHeaderName("allow")
    package static let authorization = HTTPHeaderName("authorization")
    package static let cacheControl = HTTPHeaderName("cache-control")
    package static let connection = HTTPHeaderName("connection")
    package static let acceptEncoding = HTTPHeaderName("accept-encoding")
    package static let contentEncoding = HTTPHeaderName("content-encoding")
    package static let contentLength = HTTPHeaderName("content-length")
    package static let contentType = HTTPHeaderName("content-type")
    package static let date = HTTPHeaderName("date")
    package static let expect = HTTPHeaderName("expect")
    package static let host = HTTPHeaderName("host")
    package static let requestID = HTTPHeaderName("x-request-id")
    package static let retryAfter = HTTPHeaderName("retry-after")
    package static let sandboxDiagnosis = HTTPHeaderName("x-sandbox-diagnosis")
    package static let sandboxFault = HTTPHeaderName("x-sandbox-fault")
    package static let sandboxFaultApplied = HTTPHeaderName("x-sandbox-fault-applied")
    package static let sandboxRetryable = HTTPHeaderName("x-sandbox-retryable")
    package static let sandboxTenant = HTTPHeaderName("x-sandbox-tenant")
    package static let sandboxWarning = HTTPHeaderName("x-sandbox-warning")
    package static let sandboxTenantCreated = HTTPHeaderName("x-sandbox-tenant-created")
    package static let transferEncoding = HTTPHeaderName("transfer-encoding")
    package static let wwwAuthenticate = HTTPHeaderName("www-authenticate")
}

/// Header fields in the order received or to be sent; a name may repeat.
package struct HTTPHeaders: Sendable, Equatable {
    package private(set) var fields: [(name: HTTPHeaderName, value: String)]

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

    package func all(_ name: HTTPHeaderName) -> [String] {
        fields.filter { $0.name == name }.map(\.value)
    }

    package mutating func append(_ name: HTTPHeaderName, _ value: String) {
        fields.append((name: name, value: value))
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.fields.elementsEqual(right.fields) { $0.name == $1.name && $0.value == $1.value }
    }
}

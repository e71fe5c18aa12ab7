package import Web

/// What is known of an operation without serving it: where it is, and what may be done with it.
package struct Route: Sendable {
    /// Where the behaviour comes from (DESIGN, section 2, "Honest fidelity").
    package enum Fidelity: String, Sendable {
        /// The network publishes it.
        case documented
        /// Deduced from public material.
        case inferred
        /// An invention of the sandbox.
        case sandbox
    }

    /// What a request body is declared as.
    package enum Body: Sendable {
        /// `application/json` or a type that ends in `+json`.
        case json
        /// `application/x-www-form-urlencoded`.
        case form
        /// A file, of any type.
        case file
    }

    /// Bytes (CONTRACT, section 8).
    package static let defaultBodyLimit = 1 << 20

    /// For example `tpc.getTokens`; journal and faults name it so.
    package let name: String
    /// The method that it is asked by.
    package let method: HTTPMethod
    /// A template, for example `/mg/tpc/{issuerId}/getTokens`.
    package let path: String
    /// Where the behaviour comes from.
    package let fidelity: Fidelity
    /// What its body is declared as.
    package let body: Body
    /// Whether it asks for the decision about a new token.
    package let decides: Bool
    /// Whether it changes nothing, whatever its method: networks read with POST.
    package let isReading: Bool
    /// Largest body in bytes, without its content coding; more is answered 413.
    package let bodyLimit: Int
    /// Members of its bodies that hold files, which nobody wants to read in a journal.
    package let bulkMembers: [String]
    /// Names of the query parameters that it reads, where others are refused.
    package let queryParameters: [String]

    /// - Parameter isReading: nil for what the method says.
    package init(
        _ name: String,
        _ method: HTTPMethod,
        _ path: String,
        _ fidelity: Fidelity,
        body: Body = .json,
        decides: Bool = false,
        isReading: Bool? = nil,
        bodyLimit: Int = defaultBodyLimit,
        bulkMembers: [String] = [],
        queryParameters: [String] = []
    ) {
        self.name = name
        self.method = method
        self.path = path
        self.fidelity = fidelity
        self.body = body
        self.decides = decides
        self.isReading = isReading ?? (method == .get)
        self.bodyLimit = bodyLimit
        self.bulkMembers = bulkMembers
        self.queryParameters = queryParameters
    }
}

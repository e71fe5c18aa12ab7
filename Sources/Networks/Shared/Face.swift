package import Core
package import Traffic
package import Web
package import Wire

/// One face: its operations, and how it words a refusal. A face translates; `Core` decides.
package protocol Face: Sendable {
    /// The face's name in journal and faults, for example `tpc`.
    static var name: String { get }
    /// Where most paths of the face begin.
    static var basePath: String { get }
    /// Every path of the face begins with one of these; an unknown path below one is answered in the face's shape.
    static var basePaths: [String] { get }

    var endpoints: [Endpoint] { get }

    /// Errors that a fault can order by name, in the face's own shape.
    static var networkErrors: [NetworkError] { get }

    /// The answer to a request that failed the given checks, in the face's own shape.
    ///
    /// - Parameter failures: never empty, in the order they were found.
    /// - Returns: the answer, and the check that chose it.
    static func answer(to failures: [Check], in exchange: Exchange) -> (response: HTTPResponse, deciding: Check)
}

extension Face {
    package static var basePaths: [String] { [basePath] }
    package static var networkErrors: [NetworkError] { [] }
}

/// An error of a face, by the name under which a fault orders it.
package struct NetworkError: Sendable {
    package let name: String
    package let description: String
    package let answer: @Sendable (Exchange) -> HTTPResponse

    package init(_ name: String, _ description: String, answer: @escaping @Sendable (Exchange) -> HTTPResponse) {
        self.name = name
        self.description = description
        self.answer = answer
    }

    /// The network cannot be reached: the face's own answer to that, under a name that every face knows.
    static func unavailable(_ face: any Face.Type) -> NetworkError {
        NetworkError("UNAVAILABLE", "the network cannot be reached") { exchange in
            face.answer(to: [.failed("fault", FaultCode.unavailable)], in: exchange).response
        }
    }
}

/// One operation of a face.
package struct Endpoint: Sendable {
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

    /// CONTRACT, section 8.
    package static let defaultBodyLimit = 1 << 20

    package typealias Handler = @Sendable (inout Exchange) async throws -> HTTPResponse
    package typealias Admission = @Sendable (inout Exchange) async throws -> Void
    /// Gives the strictness that a request is judged by, from its issuer and credential.
    package typealias StrictnessRule = @Sendable (Exchange) async throws -> Strictness

    /// For example `tpc.getTokens`; journal and faults name it so.
    package let name: String
    package let method: HTTPMethod
    package let path: String
    package let fidelity: Fidelity
    package let body: Body
    /// Whether it asks for the decision about a new token.
    package let decides: Bool
    /// Largest body in bytes; more is answered 413.
    package let bodyLimit: Int
    package let handler: Handler
    /// Names of the query parameters that it reads.
    package var queryParameters: [String] = []
    /// Looks at the credential in the head, and throws when it is not good, so that the body need not come. The handler looks
    /// again. Nil where the head has none.
    package private(set) var admission: Admission?
    /// Nil where only the tenant has a say.
    package private(set) var strictness: StrictnessRule?

    package init(
        _ name: String,
        _ method: HTTPMethod,
        _ path: String,
        _ fidelity: Fidelity,
        body: Body = .json,
        decides: Bool = false,
        bodyLimit: Int = defaultBodyLimit,
        handler: @escaping Handler
    ) {
        self.name = name
        self.method = method
        self.path = path
        self.fidelity = fidelity
        self.body = body
        self.decides = decides
        self.bodyLimit = bodyLimit
        self.handler = handler
    }

    /// The operation with a credential in its head.
    func admitted(by admission: @escaping Admission) -> Endpoint {
        var operation = self
        operation.admission = admission
        return operation
    }

    /// The operation with a strictness that the request's issuer or credential may narrow.
    func judged(by rule: @escaping StrictnessRule) -> Endpoint {
        var operation = self
        operation.strictness = rule
        return operation
    }
}

package import Traffic
package import Web
package import Wire

/// One face: its operations, and how it words a refusal. A face translates; `Core` decides.
package protocol Network: Sendable {
    /// The face's name in journal and faults, for example `tpc`.
    static var name: String { get }
    /// Where most paths of the face begin.
    static var basePath: String { get }
    /// Every path of the face begins with one of these; an unknown path below one is answered in the face's shape.
    static var basePaths: [String] { get }

    var operations: [Operation] { get }

    /// The answer to a request that failed the given checks, in the face's own shape.
    ///
    /// - Parameter failures: never empty, in the order they were found.
    /// - Returns: the answer, and the check that chose it.
    static func answer(to failures: [Check], in exchange: Exchange) -> (response: HTTPResponse, deciding: Check)
}

extension Network {
    package static var basePaths: [String] { [basePath] }
}

/// One operation of a face.
package struct Operation: Sendable {
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

    /// For example `tpc.getTokens`; journal and faults name it so.
    package let name: String
    package let method: HTTPMethod
    package let path: String
    package let fidelity: Fidelity
    package let body: Body
    /// Largest body in bytes; more is answered 413.
    package let bodyLimit: Int
    package let handler: Handler

    package init(
        _ name: String,
        _ method: HTTPMethod,
        _ path: String,
        _ fidelity: Fidelity,
        body: Body = .json,
        bodyLimit: Int = defaultBodyLimit,
        handler: @escaping Handler
    ) {
        self.name = name
        self.method = method
        self.path = path
        self.fidelity = fidelity
        self.body = body
        self.bodyLimit = bodyLimit
        self.handler = handler
    }
}

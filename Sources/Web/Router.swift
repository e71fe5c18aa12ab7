/// Method and path pattern of one operation. Segments in braces are parameters.
package struct RoutePattern: Sendable {
    /// What stands between two slashes: a text that must be the same, or a parameter's name.
    package enum Segment: Sendable, Equatable {
        case literal(String)
        case parameter(String)
    }

    /// The template.
    package let text: String
    /// The template's parts, in order.
    package let segments: [Segment]

    /// From a template such as `/mg/tpc/{issuerId}/getTokens`.
    package init(_ template: String) {
        text = template
        segments = template.split(separator: "/").map { part in
            part.hasPrefix("{") && part.hasSuffix("}")
                ? .parameter(String(part.dropFirst().dropLast())) : .literal(String(part))
        }
    }
}

/// The parameters of a matched path, percent-decoded.
package struct PathParameters: Sendable {
    private var values: [(name: String, value: String)] = []

    /// Names and values in the order of the path.
    package init(_ values: [(String, String)] = []) { self.values = values.map { (name: $0.0, value: $0.1) } }

    /// Names and values in the order of the path.
    package var pairs: [(name: String, value: String)] { values }

    /// The value of a parameter that the pattern has; empty when it has none of that name.
    package subscript(name: String) -> String { values.first { $0.name == name }?.value ?? "" }
}

/// Finds the value registered for a method and a path.
package struct Router<Value: Sendable>: Sendable {
    /// What became of a method and a path.
    package enum Match: Sendable {
        case found(Value, PathParameters)
        /// The path exists with these methods.
        case wrongMethod(allowed: [HTTPMethod])
        /// The path exists without its trailing slash.
        case trailingSlash
        case notFound
    }

    private let values: [Value]
    private let tree: RouteTree

    /// Of two equal routes the later one counts. Two names for one path parameter end the process.
    package init(_ routes: [(method: HTTPMethod, pattern: RoutePattern, value: Value)]) {
        values = routes.map(\.value)
        tree = RouteTree(routes.map { (method: $0.method, pattern: $0.pattern) })
    }

    /// Looks a path up; `path` is still percent-encoded and has no query.
    package func match(_ method: HTTPMethod, _ path: Substring) -> Match {
        switch tree.match(method, path) {
        case .found(let number, let parameters): .found(values[number], parameters)
        case .wrongMethod(let allowed): .wrongMethod(allowed: allowed)
        case .trailingSlash: .trailingSlash
        case .notFound: .notFound
        }
    }

    /// The pattern that an unknown path was probably meant for: without empty and dot segments, and whatever the case of its
    /// letters. Nothing is routed by it.
    package func nearest(_ path: Substring) -> String? { tree.nearest(path) }
}

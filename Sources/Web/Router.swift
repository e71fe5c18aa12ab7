/// Method and path pattern of one operation. Segments in braces are parameters.
package struct RoutePattern: Sendable {
    package enum Segment: Sendable, Equatable {
        case literal(String)
        case parameter(String)
    }

    package let text: String
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

    package init(_ values: [(String, String)] = []) { self.values = values.map { (name: $0.0, value: $0.1) } }

    /// Names and values in the order of the path.
    package var pairs: [(name: String, value: String)] { values }

    /// The value of a parameter that the pattern has; empty when it has none of that name.
    package subscript(name: String) -> String { values.first { $0.name == name }?.value ?? "" }
}

/// Finds the value registered for a method and a path: a tree by segment, so that the number of routes costs nothing.
package struct Router<Value: Sendable>: Sendable {
    private final class Node: Sendable {
        let literals: [Substring: Node]
        let parameter: (name: String, node: Node)?
        let values: [HTTPMethod: Value]

        init(literals: [Substring: Node], parameter: (name: String, node: Node)?, values: [HTTPMethod: Value]) {
            self.literals = literals
            self.parameter = parameter
            self.values = values
        }
    }

    package enum Match: Sendable {
        case found(Value, PathParameters)
        /// The path exists with these methods.
        case wrongMethod(allowed: [HTTPMethod])
        /// The path exists without its trailing slash.
        case trailingSlash
        case notFound
    }

    private let root: Node
    private let patterns: [RoutePattern]

    package init(_ routes: [(method: HTTPMethod, pattern: RoutePattern, value: Value)]) {
        patterns = routes.map(\.pattern)
        root = Router.node(routes.map { (rest: $0.pattern.segments[...], method: $0.method, value: $0.value) })
    }

    private typealias Pending = (rest: ArraySlice<RoutePattern.Segment>, method: HTTPMethod, value: Value)

    private static func node(_ routes: [Pending]) -> Node {
        var values: [HTTPMethod: Value] = [:]
        var literals: [String: [Pending]] = [:]
        var parameterName: String?
        var parameterRoutes: [Pending] = []
        for route in routes {
            guard let first = route.rest.first else {
                values[route.method] = route.value
                continue
            }
            let next = (rest: route.rest.dropFirst(), method: route.method, value: route.value)
            switch first {
            case .literal(let text): literals[text, default: []].append(next)
            case .parameter(let name):
                precondition(parameterName == nil || parameterName == name, "two names for one path parameter")
                parameterName = name
                parameterRoutes.append(next)
            }
        }
        var children: [Substring: Node] = [:]
        for (text, pending) in literals { children[text[...]] = node(pending) }
        return Node(
            literals: children,
            parameter: parameterName.map { (name: $0, node: node(parameterRoutes)) },
            values: values
        )
    }

    /// Looks a path up; `path` is still percent-encoded and has no query.
    package func match(_ method: HTTPMethod, _ path: Substring) -> Match {
        guard path.utf8.first == 0x2F else { return .notFound }
        let rest = path.utf8.dropFirst()
        if let node = find(rest.isEmpty ? nil : Substring(rest), in: root) { return result(method, node) }
        if rest.last == 0x2F, find(Substring(rest.dropLast()), in: root) != nil { return .trailingSlash }
        return .notFound
    }

    /// The pattern that an unknown path was probably meant for: without empty and dot segments, and whatever the case of its
    /// letters. Nothing is routed by it.
    package func nearest(_ path: Substring) -> String? {
        let segments = path.utf8.split(separator: 0x2F).filter { !$0.elementsEqual(".".utf8) }.map {
            Substring($0).lowercased()
        }
        return patterns.first { pattern in
            pattern.segments.count == segments.count
                && zip(pattern.segments, segments).allSatisfy { wanted, found in
                    guard case .literal(let text) = wanted else { return true }
                    return text.lowercased() == found
                }
        }?.text
    }

    private func result(_ method: HTTPMethod, _ found: (node: Node, parameters: [(String, String)])) -> Match {
        if let value = found.node.values[method] { return .found(value, PathParameters(found.parameters)) }
        // HEAD is GET without the body (RFC 9110, section 9.3.2).
        if method == .head, let value = found.node.values[.get] {
            return .found(value, PathParameters(found.parameters))
        }
        if found.node.values.isEmpty { return .notFound }
        var allowed = found.node.values.keys.sorted { $0.rawValue < $1.rawValue }
        if found.node.values[.get] != nil { allowed.append(.head) }
        allowed.append(.options)
        return .wrongMethod(allowed: allowed)
    }

    /// The node of a path below `start`; nil for `path` means that nothing is left of it.
    private func find(_ path: Substring?, in start: Node) -> (node: Node, parameters: [(String, String)])? {
        guard let path else { return start.values.isEmpty ? nil : (start, []) }
        // By bytes: finding characters takes ten times as long.
        let slash = path.utf8.firstIndex(of: 0x2F)
        let first = slash.map { path[..<$0] } ?? path
        let rest = slash.map { path[path.utf8.index(after: $0)...] }
        if let child = start.literals[first], let found = find(rest, in: child) { return found }
        guard let parameter = start.parameter, !first.isEmpty, let value = PercentEncoding.decode(first),
            var found = find(rest, in: parameter.node)
        else { return nil }
        found.parameters.insert((parameter.name, value), at: 0)
        return found
    }
}

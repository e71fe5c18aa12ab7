/// Finds the number of a route: a tree by segment, so that the number of routes costs nothing. It knows no value of them,
/// because generic code runs slower in another module.
struct RouteTree: Sendable {
    private final class Node: Sendable {
        /// A level has few literals, most told apart by their length: a hash of the text takes longer than this.
        let literals: [(text: [UInt8], node: Node)]
        let parameter: (name: String, node: Node)?
        let routes: [(method: HTTPMethod, number: Int)]

        init(_ routes: [Pending]) {
            var own: [(method: HTTPMethod, number: Int)] = []
            var literals: [String: [Pending]] = [:]
            var parameterName: String?
            var parameterRoutes: [Pending] = []
            for route in routes {
                guard let first = route.rest.first else {
                    // Of two equal routes the later one counts.
                    own.removeAll { $0.method == route.method }
                    own.append((method: route.method, number: route.number))
                    continue
                }
                let next = (rest: route.rest.dropFirst(), method: route.method, number: route.number)
                switch first {
                case .literal(let text): literals[text, default: []].append(next)
                case .parameter(let name):
                    precondition(
                        parameterName == nil || parameterName == name,
                        "two names for one path parameter"
                    )
                    parameterName = name
                    parameterRoutes.append(next)
                }
            }
            self.literals = literals.map { (text: Array($0.key.utf8), node: Node($0.value)) }
            parameter = parameterName.map { (name: $0, node: Node(parameterRoutes)) }
            self.routes = own
        }

        func child(_ path: Span<UInt8>, _ segment: Range<Int>) -> Node? {
            for index in literals.indices where literals[index].text.count == segment.count {
                if path.holds(literals[index].text, at: segment.lowerBound) { return literals[index].node }
            }
            return nil
        }

        func number(_ method: HTTPMethod) -> Int? { routes.first { $0.method == method }?.number }
    }

    private typealias Pending = (rest: ArraySlice<RoutePattern.Segment>, method: HTTPMethod, number: Int)

    enum Match: Sendable {
        case found(Int, PathParameters)
        case wrongMethod(allowed: [HTTPMethod])
        case trailingSlash
        case notFound
    }

    private let root: Node
    private let patterns: [RoutePattern]

    init(_ routes: [(method: HTTPMethod, pattern: RoutePattern)]) {
        patterns = routes.map(\.pattern)
        root = Node(
            routes.enumerated().map { number, route in
                (rest: route.pattern.segments[...], method: route.method, number: number)
            }
        )
    }

    func match(_ method: HTTPMethod, _ path: Substring) -> Match {
        let bytes = path.utf8.span
        guard bytes.count > 0, bytes[0] == 0x2F else { return .notFound }
        // At the root nothing is left of the path behind its first slash.
        let rest = bytes.count == 1 ? bytes.count + 1 : 1
        if let found = find(bytes, from: rest, in: root, path) { return result(method, found.node, found.parameters) }
        if bytes.count > 1, bytes[bytes.count - 1] == 0x2F,
            find(bytes.extracting(0..<bytes.count - 1), from: 1, in: root, path) != nil
        {
            return .trailingSlash
        }
        return .notFound
    }

    func nearest(_ path: Substring) -> String? {
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

    private func result(_ method: HTTPMethod, _ node: Node, _ parameters: [(String, String)]) -> Match {
        if let number = node.number(method) { return .found(number, PathParameters(parameters)) }
        // HEAD is GET without the body (RFC 9110, section 9.3.2).
        if method == .head, let number = node.number(.get) { return .found(number, PathParameters(parameters)) }
        if node.routes.isEmpty { return .notFound }
        var allowed = node.routes.map(\.method).sorted { $0.rawValue < $1.rawValue }
        if node.number(.get) != nil { allowed.append(.head) }
        allowed.append(.options)
        return .wrongMethod(allowed: allowed)
    }

    /// The node of what is left of a path below `node`. Nothing is left when the offset is beyond the end; at the end an
    /// empty segment is.
    private func find(
        _ bytes: Span<UInt8>,
        from start: Int,
        in node: Node,
        _ path: Substring
    ) -> (node: Node, parameters: [(String, String)])? {
        guard start <= bytes.count else { return node.routes.isEmpty ? nil : (node, []) }
        var end = start
        while end < bytes.count, bytes[end] != 0x2F { end += 1 }
        if let child = node.child(bytes, start..<end), let found = find(bytes, from: end + 1, in: child, path) {
            return found
        }
        guard let parameter = node.parameter, end > start else { return nil }
        let segment =
            path.utf8.index(path.startIndex, offsetBy: start)..<path.utf8.index(path.startIndex, offsetBy: end)
        guard let value = PercentEncoding.decode(path[segment]),
            var found = find(bytes, from: end + 1, in: parameter.node, path)
        else { return nil }
        found.parameters.insert((parameter.name, value), at: 0)
        return found
    }
}

extension Span<UInt8> {
    /// Whether these bytes stand at `start`, where there are as many.
    fileprivate func holds(_ bytes: [UInt8], at start: Int) -> Bool {
        for index in bytes.indices where self[start + index] != bytes[index] { return false }
        return true
    }
}

package import Web

/// What there is to match: operations and errors of the faces. Tells a rule that can never take effect.
package struct FaultCatalogue: Sendable {
    package struct Endpoint: Sendable {
        package let face: String
        package let name: String
        package let method: HTTPMethod
        /// The path's template.
        package let path: String
        /// Whether it asks for the decision about a new token.
        package let decides: Bool
        /// Names of the face's errors.
        package let errors: Set<String>

        package init(face: String, name: String, method: HTTPMethod, path: String, decides: Bool, errors: Set<String>) {
            self.face = face
            self.name = name
            self.method = method
            self.path = path
            self.decides = decides
            self.errors = errors
        }
    }

    package let endpoints: [Endpoint]

    package init(_ endpoints: [Endpoint]) { self.endpoints = endpoints }

    /// - Throws: ``FaultRuleFault`` with the condition that nothing can fulfil together with those before it.
    package func check(_ draft: FaultRuleDraft) throws(FaultRuleFault) {
        let match = draft.match
        var left = endpoints
        func narrow(
            _ pointer: String,
            _ detail: String,
            _ holds: (Endpoint) -> Bool
        ) throws(FaultRuleFault) {
            left = left.filter(holds)
            if left.isEmpty { throw FaultRuleFault(.neverMatches, pointer, detail) }
        }
        if let face = match.face {
            let names = Set(endpoints.map(\.face)).sorted().joined(separator: ", ")
            try narrow("/match/face", "there is no such face; there are \(names)") { $0.face == face }
        }
        if let path = match.path, !path.canStandInTarget {
            throw FaultRuleFault(
                .neverMatches,
                "/match/path",
                "no request has such a path: a path is matched as it is sent, in visible ASCII characters, without the query;"
                    + " others are percent-encoded"
            )
        }
        // Outgoing calls have no route; their operations are what the faces call them.
        guard match.direction == .inbound else { return }
        if let name = match.operation {
            // Those of the face that is meant, else of all: the whole list is GET /v1/scenarios.
            let prefix = name.prefix { $0 != "." } + "."
            let near = Set(left.map(\.name).filter { $0.hasPrefix(prefix) })
            let names = (near.isEmpty ? Set(left.map(\.name)) : near).sorted().joined(separator: ", ")
            try narrow("/match/operation", "there is no such operation; there are \(names)") { $0.name == name }
        }
        if let method = match.method {
            try narrow("/match/method", "no operation left has this method") { operation in
                operation.method.rawValue == method || (method == "HEAD" && operation.method == .get)
            }
        }
        if let path = match.path {
            try narrow("/match/path", "no operation left has such a path; leave the tenant prefix out") { operation in
                path.canMatch(template: operation.path)
            }
        }
        switch draft.effect {
        case .networkError(let name):
            let names = Set(left.flatMap(\.errors)).sorted().joined(separator: ", ")
            try narrow("/effect/networkError", "no operation left knows this error; they know \(names)") { operation in
                operation.errors.contains(name)
            }
        case .decision:
            try narrow("/effect/decision", "no operation left asks for a decision", \.decides)
        default: break
        }
    }
}

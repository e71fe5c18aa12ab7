import Core
import Networks
import Web
import Wire

/// One line of `GET /v1/scenarios`.
struct ScenarioItem: Sendable {
    enum Kind: String {
        /// A card with this expiry year, in a tenant whose magic data is on.
        case expiryYear
        /// A value of the header `X-Sandbox-Fault`, as it is.
        case fault
        /// The name of an operation, for `match.operation` and the journal's filter.
        case operation
        /// A name for `networkError=` and `effect.networkError`.
        case networkError
    }

    let name: String
    let kind: Kind
    let value: String
    let description: String

    init(_ name: String, _ kind: Kind, _ value: String, _ description: String) {
        self.name = name
        self.kind = kind
        self.value = value
        self.description = description
    }

    init(_ scenario: Scenario) {
        self.init(scenario.name, .expiryYear, String(scenario.year), scenario.summary)
    }

    /// Each name once, in the order of the faces; an operation may have several paths.
    static func operations(_ routes: [Route]) -> [ScenarioItem] {
        let paths = Dictionary(grouping: routes, by: \.name).mapValues { routes in
            routes.map { "\($0.method.rawValue) \($0.path)" }.joined(separator: ", ")
        }
        var seen: Set<String> = []
        return routes.map(\.name).filter { seen.insert($0).inserted }.map { name in
            ScenarioItem(name, .operation, name, paths[name] ?? "")
        }
    }

    var json: JSON {
        [
            "name": .string(name), "kind": .string(kind.rawValue), "value": .string(value),
            "description": .string(description),
        ]
    }
}

extension ScenarioItem {
    /// The shorthands of one request's fault (CONTRACT, section 6).
    static let faults: [ScenarioItem] =
        [
            ScenarioItem("delay", .fault, "delay=500", "The answer comes so many milliseconds later."),
            ScenarioItem("status", .fault, "status=503", "This status instead of the operation."),
        ]
        + [
            ("reset", "RST without a byte."), ("close", "FIN after the header fields."),
            ("empty", "FIN without a byte."),
            ("truncate", "Half the body, then FIN."), ("garbage", "Random bytes, then FIN."),
            ("stall", "Nothing, until the client leaves or 60 s are over."),
        ].map { ScenarioItem("connection.\($0)", .fault, "connection=\($0)", $1) }
        + [
            ScenarioItem(
                "networkError",
                .fault,
                "networkError=systemCancelled",
                "An error of the face's catalogue, in its shape; see the items of kind networkError."
            )
        ]
        + [
            (Decision.green, "The new token is active at once."), (.yellow, "The new token waits for activation."),
            (.red, "No token is made."),
        ].map { ScenarioItem("decision.\($0.rawValue)", .fault, "decision=\($0.rawValue)", $1) }
}

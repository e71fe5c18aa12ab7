package import Web

extension FaultEffect {
    /// Whether there may be nothing that the effect could change. Only what comes of the operation tells.
    package var mayNotApply: Bool {
        switch self {
        case .decision, .corrupt, .commitThen, .callback: true
        case .delay, .respond, .networkError, .connection, .dribble: false
        }
    }

    /// Why the effect can change nothing about an operation that was run; nil when it can.
    ///
    /// - Parameters:
    ///   - response: what the operation answered.
    ///   - orders: those of its exchange, after it ran.
    package func obstacle(_ response: HTTPResponse, _ orders: Orders) -> String? {
        switch self {
        case .decision: orders.isDecisionUsed ? nil : "the operation asked for no decision"
        case .corrupt(let kind):
            AnswerCorruption.apply(kind, to: response) == nil ? "the answer holds no \(kind.rawValue)" : nil
        case .commitThen: response.status < 400 ? nil : "the operation refused, so nothing was committed"
        case .callback: "the request is not a callback"
        case .delay, .respond, .networkError, .connection, .dribble: nil
        }
    }
}

/// What stands in the way of the effects of many rules at one answer: each way to corrupt it is tried once.
package struct FaultObstacles {
    private let response: HTTPResponse
    private let orders: Orders
    private var corruptions: [FaultEffect.Corruption: String?] = [:]

    /// - Parameters:
    ///   - response: what the operation answered.
    ///   - orders: those of its exchange, after it ran.
    package init(_ response: HTTPResponse, _ orders: Orders) {
        self.response = response
        self.orders = orders
    }

    /// Why the effect can change nothing about the operation; nil when it can.
    package mutating func obstacle(to effect: FaultEffect) -> String? {
        guard case .corrupt(let kind) = effect else { return effect.obstacle(response, orders) }
        if let known = corruptions[kind] { return known }
        let why = effect.obstacle(response, orders)
        corruptions[kind] = .some(why)
        return why
    }
}

package import Core
package import Traffic
package import Web

/// One operation of a face: where it is, who may call it, and what it does.
package struct Endpoint<Caller: Sendable>: Sendable {
    /// What an operation does for an identified caller; it throws ``Refusal``, or what the store throws.
    package typealias Handler = @Sendable (inout Exchange, Caller) async throws -> HTTPResponse

    /// Where the operation is.
    package let route: Route
    private let caller: any CallerStage<Caller>
    private let handler: Handler

    /// An operation at a route, for those whom `caller` identifies.
    package init(_ route: Route, caller: any CallerStage<Caller>, handler: @escaping Handler) {
        self.route = route
        self.caller = caller
        self.handler = handler
    }
}

extension Endpoint<Void> {
    /// For everybody.
    package init(_ route: Route, handler: @escaping @Sendable (inout Exchange) async throws -> HTTPResponse) {
        self.init(route, caller: Everybody()) { exchange, _ in try await handler(&exchange) }
    }
}

/// An endpoint whose kind of caller is forgotten: what the router holds.
package protocol RoutedEndpoint: Sendable {
    var route: Route { get }
    /// Whether ``refuseHead(of:)`` can say anything.
    var looksAtHead: Bool { get }

    /// Looks at a request whose body has not come.
    ///
    /// - Throws: ``Refusal`` when the credential in the head is not good.
    func refuseHead(of exchange: inout Exchange) async throws
    /// How exactly a request is to be taken, before it is known who calls.
    func strictness(for exchange: Exchange) async throws -> Strictness
    /// Identifies the caller and runs the operation.
    ///
    /// - Throws: ``Refusal``, or what the store throws.
    func serve(_ exchange: inout Exchange) async throws -> HTTPResponse
}

extension Endpoint: RoutedEndpoint {
    /// Whether the caller stage can say anything of a head.
    package var looksAtHead: Bool { caller.looksAtHead }

    /// Asks the caller stage.
    package func refuseHead(of exchange: inout Exchange) async throws { try await caller.refuseHead(of: &exchange) }

    /// Asks the caller stage.
    package func strictness(for exchange: Exchange) async throws -> Strictness {
        try await caller.strictness(for: exchange)
    }

    /// Identifies the caller, then runs the handler.
    package func serve(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let caller = try await caller.identify(&exchange)
        return try await handler(&exchange, caller)
    }
}

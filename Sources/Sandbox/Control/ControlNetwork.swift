import Core
import Networks
import Traffic
import Web
import Wire

/// The control API (CONTRACT, section 5): tests bend a world with it. It listens on a port of its own.
struct ControlNetwork: Network {
    static let name = "control"
    static let basePath = "/v1"

    let operations: [Networks.Operation]

    init(_ services: ControlServices) {
        operations =
            ServiceHandler(services: services).operations
            + DocumentHandler(services: services).operations
            + TenantHandler(services: services).operations
            + ClockHandler(services: services).operations
            + ScenarioHandler(services: services).operations
            + WorldHandler(services: services).operations
            + SnapshotHandler(services: services).operations
            + IssuerHandler(services: services).operations
            + PassMetadataHandler(services: services).operations
            + ApplicationHandler(services: services).operations
            + CardHandler(services: services).operations
            + TokenHandler(services: services).operations
            + KeyHandler(services: services).operations
            + CallbackHandler(services: services).operations
            + FaultHandler(services: services).operations
            + JournalHandler(services: services).operations
            + ExplainHandler(services: services).operations
    }

    static func answer(
        to failures: [Check],
        in exchange: Exchange
    ) -> (response: HTTPResponse, deciding: Check) {
        var (response, deciding) = ProblemDocument.answer(to: failures, in: exchange, showsEvidence: true)
        if response.status == 401 { response.headers[.wwwAuthenticate] = ControlGate.challenge(deciding) }
        return (response, deciding)
    }
}

/// What the control API works with.
struct ControlServices: Sendable {
    let faces: Services
    let tenants: TenantDirectory
    let journal: any Journal
    let fixtures: Fixtures
    let readiness: Readiness
    let pauses: Pauses
    /// The faces of the API port: what a fault rule can match, and what can be asked for.
    let apiFaces: [any Network]
    let metrics: Metrics
    /// Whether a call needs the control token.
    let needsToken: Bool

    var vault: Vault { faces.vault }
}

/// Shorthands for the handlers' tables.
extension Networks.Operation {
    static func control(
        _ name: String,
        _ method: HTTPMethod,
        _ path: String,
        bodyLimit: Int = defaultBodyLimit,
        query: ControlQuery = .none,
        handler: @escaping Handler
    ) -> Networks.Operation {
        // Paths outside /v1 are for probes and scrapers, which add what they like.
        let isHeld = path.hasPrefix(ControlNetwork.basePath + "/")
        var operation = Networks.Operation("control.\(name)", method, path, .sandbox, bodyLimit: bodyLimit) {
            exchange in
            guard isHeld else { return try await handler(&exchange) }
            let members = MemberLog()
            exchange.members = members
            try query.check(exchange.request)
            let response = try await handler(&exchange)
            // A call that has no document takes none of its members.
            if members.isEmpty, exchange.members != nil, !exchange.request.body.isEmpty, method != .get {
                _ = try? ControlFields(exchange)
            }
            return response
        }
        operation.queryParameters = query.names
        return operation
    }
}

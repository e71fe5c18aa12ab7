import Core
import Networks
import Traffic
import Web
import Wire

/// The control API (CONTRACT, section 5): tests bend a world with it. It listens on a port of its own.
struct ControlFace: Face {
    static let basePath = "/v1"
    static let name: String = "control"

    let name: String = ControlFace.name
    let basePaths = [ControlFace.basePath]
    private let own: [ControlEndpoint]

    init(_ services: ControlServices) {
        own =
            ServiceHandler(services: services).endpoints
            + DocumentHandler(documents: services.documents).endpoints
            + TenantHandler(services: services).endpoints
            + TenantTokenHandler(services: services).endpoints
            + ClockHandler(services: services).endpoints
            + ScenarioHandler(services: services).endpoints
            + WorldHandler(services: services).endpoints
            + SnapshotHandler(services: services).endpoints
            + IssuerHandler(services: services).endpoints
            + PassMetadataHandler(services: services).endpoints
            + RegisteredConsumerHandler(services: services).endpoints
            + ApplicationHandler(services: services).endpoints
            + CredentialHandler(services: services).endpoints
            + CardHandler(services: services).endpoints
            + TokenHandler(services: services).endpoints
            + KeyHandler(services: services).endpoints
            + SignHandler(services: services).endpoints
            + DiagnosisHandler(faces: services.apiFaces).endpoints
            + CallbackHandler(services: services).endpoints
            + FaultHandler(services: services).endpoints
            + JournalHandler(services: services).endpoints
            + ExplainHandler(services: services).endpoints
    }

    func endpoints(_ services: Services) -> [any RoutedEndpoint] { own }

    func answer(
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
    let apiFaces: [any Face]
    let metrics: Metrics
    let documents: Documents
    let issuerKeys: IssuerKeyFiles
    /// Most bytes of the documents of a world that is exported.
    let exportBytes: Int

    var worlds: Worlds { faces.worlds }
}

typealias ControlEndpoint = Networks.Endpoint<Void>

/// Shorthands for the handlers' tables.
extension ControlEndpoint {
    static func control(
        _ name: String,
        _ method: HTTPMethod,
        _ path: String,
        isReading: Bool? = nil,
        bodyLimit: Int = Route.defaultBodyLimit,
        query: ControlQuery = .none,
        handler: @escaping @Sendable (inout Exchange) async throws -> HTTPResponse
    ) -> ControlEndpoint {
        let route = Route(
            "control.\(name)",
            method,
            path,
            .sandbox,
            isReading: isReading,
            bodyLimit: bodyLimit,
            queryParameters: query.names
        )
        // Paths outside /v1 are for probes and scrapers, which add what they like.
        guard path.hasPrefix(ControlFace.basePath + "/") else { return ControlEndpoint(route, handler: handler) }
        return ControlEndpoint(route) { exchange in
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
    }
}

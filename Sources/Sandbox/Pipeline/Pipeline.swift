import Core
package import Networks
package import Traffic
package import Web
import Wire

/// The way of every request: tenant, route, checks of the head, handler, rendering, journal.
///
/// One pipeline serves the faces, another the control API.
package struct Pipeline: HTTPResponder {
    /// Where a request goes. A class, because the router hands it to each request.
    final class Destination: Sendable {
        let face: any Face
        let endpoint: any RoutedEndpoint
        let route: Route
        /// By name.
        let networkErrors: [String: NetworkError]

        init(_ face: any Face, _ endpoint: any RoutedEndpoint, _ networkErrors: [String: NetworkError]) {
            self.face = face
            self.endpoint = endpoint
            self.networkErrors = networkErrors
            route = endpoint.route
        }
    }

    let router: Router<Destination>
    let faces: [any Face]
    package let endpoints: [any RoutedEndpoint]
    package let tenants: TenantDirectory
    let worlds: Worlds
    let pauses: Pauses
    /// Nil for the control API, whose calls are no part of a test's traffic.
    let journal: (any Journal)?
    /// Whether `/t/{tenant}` selects a tenant.
    let takesTenantPrefix: Bool
    /// The control API always names the tenant an answer is about; a face only to a request that named one.
    var isControl: Bool { !takesTenantPrefix }
    /// Finds the tenant of a request that names none; nil for the control API.
    let credentials: CredentialSelection?
    /// Looks at a request before anything else; a refusal ends it.
    let gate: @Sendable (HTTPRequest) -> Refusal?
    /// Of requests without a tenant.
    let strayIDs: StrayRequestIDs
    let metrics: Metrics
    let log: Log

    init(
        faces: [any Face],
        services: Services,
        tenants: TenantDirectory,
        worlds: Worlds,
        pauses: Pauses,
        journal: (any Journal)?,
        takesTenantPrefix: Bool,
        credentials: CredentialSelection? = nil,
        gate: @escaping @Sendable (HTTPRequest) -> Refusal? = { _ in nil },
        strayIDs: StrayRequestIDs,
        metrics: Metrics,
        log: Log
    ) {
        self.faces = faces
        let destinations = faces.flatMap { face in
            let errors = Dictionary(face.networkErrors.map { ($0.name, $0) }) { first, _ in first }
            return face.endpoints(services).map { Destination(face, $0, errors) }
        }
        endpoints = destinations.map(\.endpoint)
        router = Router(
            destinations.map { (method: $0.route.method, pattern: RoutePattern($0.route.path), value: $0) }
        )
        self.tenants = tenants
        self.worlds = worlds
        self.pauses = pauses
        self.journal = journal
        self.takesTenantPrefix = takesTenantPrefix
        self.credentials = credentials
        self.gate = gate
        self.strayIDs = strayIDs
        self.metrics = metrics
        self.log = log
    }

    package var routes: [Route] { endpoints.map(\.route) }

    /// What the operation that takes most takes, in bytes.
    var largestBody: Int { routes.map(\.bodyLimit).max() ?? Route.defaultBodyLimit }

    package func respond(to request: HTTPRequest) async -> HTTPResponse {
        // The control API's calls search journals and move whole worlds, and nobody measures them.
        await OffLoop.run(when: isControl || request.isLong) { await answer(to: request) }
    }

    private func answer(to request: HTTPRequest) async -> HTTPResponse {
        let clock = ContinuousClock()
        let start = clock.now
        metrics.requestBegan()
        var visit = await begin(request)
        var response = await answer(&visit)
        let duration = clock.now - start
        await finish(visit, request, &response, duration)
        return response
    }

    package func respond(to broken: BrokenRequest) async -> HTTPResponse {
        metrics.requestBegan()
        let request = broken.head ?? HTTPRequest(method: .get, target: "/", peer: broken.peer)
        var visit = await begin(request, isFramed: false)
        visit.exchange.note(.failed("http", HTTPFault(broken.reason), evidence: broken.detail))
        visit.route = nil
        visit.isBroken = true
        var response = await answer(&visit)
        await finish(visit, request, &response, .zero)
        return response
    }

    /// The face whose shape an answer takes when no route was found.
    func face(for path: Substring) -> any Face {
        faces.first { face in
            face.basePaths.contains { path == $0 || path.hasPrefix($0 + "/") }
        } ?? NeutralFace()
    }
}

extension HTTPRequest {
    /// Whether reading the body takes long. One in gzip may be any size once it is decoded.
    fileprivate var isLong: Bool {
        body.count > OffLoop.bodyBytes || (!body.isEmpty && ContentCoding(headers) != .identity)
    }
}

import Core
import Networks
import Synchronization
import Traffic
import Web
import Wire

/// Health, readiness, metrics and version.
struct ServiceHandler: Sendable {
    let services: ControlServices

    var endpoints: [ControlEndpoint] {
        [
            .control("health", .get, "/healthz", handler: health),
            .control("ready", .get, "/readyz", handler: ready),
            .control("metrics", .get, "/metrics", handler: metrics),
            .control("version", .get, "/v1/version", handler: version),
        ]
    }

    func health(_ exchange: inout Exchange) async throws -> HTTPResponse { .json(["status": "ok"]) }

    func ready(_ exchange: inout Exchange) async throws -> HTTPResponse {
        services.readiness.isReady ? .json(["status": "ready"]) : .json(["status": "stopping"], status: 503)
    }

    /// Also while the store does not answer: then without the number of tenants.
    func metrics(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let text = services.metrics.text(
            Metrics.Surroundings(
                version: Version.current,
                tenants: try? await services.worlds.store.tenants().count,
                journal: await services.journal.totals,
                residentBytes: ProcessMemory.residentBytes
            )
        )
        return HTTPResponse(
            status: 200,
            headers: HTTPHeaders([(.contentType, MetricsText.contentType)]),
            body: Array(text.utf8)
        )
    }

    func version(_ exchange: inout Exchange) async throws -> HTTPResponse {
        .json(["name": "tsp-sandbox", "version": .string(Version.current), "testDataOnly": true])
    }
}

/// The version of the server.
package enum Version {
    package static let current = "0.1.0"
}

/// Whether the server takes traffic; false from the stop signal on.
package final class Readiness: Sendable {
    private let ready = Mutex(true)

    package init() {}

    package var isReady: Bool { ready.withLock { $0 } }
    package func end() { ready.withLock { $0 = false } }
}

import Core
import Networks
import Traffic
import Web
import Wire

/// What a test can ask of this server, as a list to choose from.
struct ScenarioHandler: Sendable {
    private let items: [ScenarioItem]

    init(services: ControlServices) {
        let faces = services.apiFaces
        items =
            Scenario.table.map(ScenarioItem.init)
            + ScenarioItem.operations(faces.flatMap { $0.endpoints(services.faces).map(\.route) })
            + ScenarioItem.networkErrors(faces) + ScenarioItem.faults
    }

    var endpoints: [ControlEndpoint] {
        [.control("listScenarios", .get, "/v1/scenarios", handler: list)]
    }

    func list(_ exchange: inout Exchange) async throws -> HTTPResponse {
        .json(["items": .array(items.map(\.json))])
    }
}

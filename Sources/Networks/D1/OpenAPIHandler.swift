import Traffic
import Web

/// `openapi.json`: the description of this face, the issuer's API included.
struct OpenAPIHandler: Sendable {
    let services: Services

    var endpoints: [any RoutedEndpoint] {
        [Endpoint(Route("d1.openAPI", .get, D1Face.basePath + "/openapi.json", .sandbox), handler: document)]
    }

    func document(_ exchange: inout Exchange) async throws -> HTTPResponse {
        try services.document(D1Face().name, &exchange)
    }
}

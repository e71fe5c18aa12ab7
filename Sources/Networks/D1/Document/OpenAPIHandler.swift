import Traffic
import Web
import Wire

/// `openapi.json`: the description of this face, the issuer's API included.
struct OpenAPIHandler: Sendable {
    let services: Services

    var endpoints: [any RoutedEndpoint] {
        [Endpoint(Route("d1.openAPI", .get, D1Face.basePath + "/openapi.json", .sandbox), handler: document)]
    }

    func document(_ exchange: inout Exchange) async throws -> HTTPResponse {
        guard let bytes = services.documents[D1Face().name] else {
            throw exchange.refusal(.failed("document", HTTPFault.pathUnknown))
        }
        return HTTPResponse(status: 200, headers: HTTPHeaders([(.contentType, "application/json")]), body: bytes)
    }
}

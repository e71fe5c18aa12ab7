import Networks
import Traffic
import Web
import Wire

/// `openapi.json`: the description of the control API.
struct DocumentHandler: Sendable {
    let services: ControlServices

    var operations: [Networks.Operation] { [.control("openAPI", .get, "/v1/openapi.json", handler: document)] }

    func document(_ exchange: inout Exchange) async throws -> HTTPResponse {
        guard let bytes = services.faces.documents[ControlNetwork.name] else {
            throw exchange.refusal(.failed("document", HTTPFault.pathUnknown))
        }
        return HTTPResponse(status: 200, headers: HTTPHeaders([(.contentType, "application/json")]), body: bytes)
    }
}

import Networks
import Traffic
import Web
import Wire

/// `openapi.json`: the description of the control API, as this server serves it.
struct DocumentHandler: Sendable {
    let services: ControlServices

    var endpoints: [ControlEndpoint] { [.control("openAPI", .get, "/v1/openapi.json", handler: document)] }

    func document(_ exchange: inout Exchange) async throws -> HTTPResponse {
        guard let bytes = services.faces.documents[ControlFace.name] else {
            throw exchange.refusal(.failed("document", HTTPFault.pathUnknown))
        }
        // The file allows both, because a server may be started either way; this one wants the token.
        if services.needsToken, case .object(var document)? = try? JSON.parse(bytes) {
            document["security"] = [["controlToken": []]]
            return .json(.object(document))
        }
        return HTTPResponse(status: 200, headers: HTTPHeaders([(.contentType, "application/json")]), body: bytes)
    }
}

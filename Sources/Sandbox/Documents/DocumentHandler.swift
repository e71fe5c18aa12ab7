import Networks
import Traffic
import Web

/// The control API's own description, and those of the faces for whoever knows this port only.
struct DocumentHandler: Sendable {
    let documents: Documents

    var endpoints: [ControlEndpoint] {
        [
            .control("openAPI", .get, "/v1/openapi.json") { exchange in
                try documents.answer(ControlFace.name, to: &exchange)
            },
            .control("document", .get, DocumentFace.path) { exchange in
                try documents.answer(DocumentFace.name(exchange), to: &exchange)
            },
        ]
    }
}

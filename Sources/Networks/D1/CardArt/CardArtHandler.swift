import Core
import Crypto
import Traffic
import Web
import Wire

/// `card-art/check`: which published rules a picture breaks. The file is the body; no login is needed.
struct CardArtHandler: Sendable {
    let services: Services

    var endpoints: [any RoutedEndpoint] {
        let path = D1Face.basePath + "/client/v1/card-art/check"
        let route = Route("d1.checkCardArt", .post, path, .sandbox, body: .file, isReading: true, bodyLimit: 8 << 20)
        return [Endpoint(route, handler: check)]
    }

    func check(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let file = exchange.request.body
        let findings = await services.lane.run { CardArt.findings(in: file) }
        return .json([
            "passed": .bool(findings.isEmpty),
            "findings": .array(
                findings.map { ["rule": .string($0.rule.rawValue), "detail": .string($0.detail)] }
            ),
        ])
    }
}

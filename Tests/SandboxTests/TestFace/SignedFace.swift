import Core
import Crypto
import Networks
import Traffic
import Web
import Wire

/// A face of the tests that has of everything: it is what the next network brings, in one folder, and nothing under
/// `Sources` knows it. Followed step by step from CONTRIBUTING, "Add a face".
struct SignedFace: Face {
    static let basePath = "/testnet"

    let name = "testnet"
    let basePaths = [SignedFace.basePath]

    func endpoints(_ services: Services) -> [any RoutedEndpoint] { OrderHandler(services: services).endpoints }

    var networkErrors: [NetworkError] {
        [NetworkError("TESTNET_CLOSED", "the network is closed") { _ in .json(["err": "closed"], status: 503) }]
    }
    var recordKinds: [any Record.Type] { [Order.self] }
    var diagnosis: [DiagnosisSection] { [DiagnosisSection("Test network", SignedFault.codes)] }
    var explanations: [Explanation] { [SignedCaller.explanation] }
    var credentialKinds: [CredentialKind] { [SignedCaller.credentials] }

    func credentials(in request: HTTPRequest) -> [String] { SignedCaller.digest(in: request).map { [$0] } ?? [] }

    func callbacks(for event: DomainEvent, in view: View) throws -> [CallbackContent] {
        guard case .tokenChanged(let token, let change) = event else { return [] }
        return [
            CallbackContent(
                face: name,
                operation: "testnet.tokenChanged",
                issuerID: token.issuerID,
                tokenID: token.tokenID,
                path: "/changes"
            ) { ["id": .string($0), "change": .string(String(describing: change))] }
        ]
    }

    func answer(to failures: [Check], in exchange: Exchange) -> (response: HTTPResponse, deciding: Check) {
        let deciding = failures.first { $0.code?.kind == .unauthenticated } ?? failures[0]
        let status = (deciding.code?.subject as? HTTPFault)?.status ?? (deciding.code?.kind == .notFound ? 404 : 401)
        return (.json(["err": .optional(deciding.code?.name)], status: status), deciding)
    }

    /// Answers are wrapped, refusals are not; both carry the client's correlation id.
    func seal(_ response: HTTPResponse, isRefusal: Bool, in exchange: Exchange) async -> HTTPResponse {
        var sealed = response
        if !isRefusal { sealed.body = JSON.object(JSONObject([("sealed", .base64(response.body))])).bytes }
        sealed.headers[SignedFace.correlation] = exchange.received.headers[SignedFace.correlation]
        return sealed
    }

    static let correlation = HTTPHeaderName("x-testnet-correlation")
}

enum SignedFault: String, DiagnosisSubject {
    case keyUnknown = "TESTNET_KEY_UNKNOWN"
    case signature = "TESTNET_SIGNATURE"
    case issuerUnknown = "TESTNET_ISSUER_UNKNOWN"

    var meaning: (kind: RefusalKind, cause: String, cure: String) {
        switch self {
        case .keyUnknown: (.unauthenticated, "No client has this key.", "Make one: POST /v1/credentials.")
        case .signature:
            (.unauthenticated, "The signature is not that of the request.", "Sign method, URL and raw body.")
        case .issuerUnknown: (.notFound, "There is no such issuer.", "Register it.")
        }
    }
}

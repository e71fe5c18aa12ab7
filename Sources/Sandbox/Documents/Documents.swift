import Networks
import Synchronization
import Traffic
import Web
import Wire

/// The OpenAPI documents of the faces and of the control API, as this server serves them: with the address under which
/// a client reaches what they describe.
final class Documents: Sendable {
    private struct Addresses {
        var api: ListeningAddress?
        var control: ListeningAddress?
    }

    /// Read when they are asked for: most servers never are, and start sooner.
    private let files: [String: [UInt8]]
    private let publicURL: PublicURL?
    private let needsToken: Bool
    private let addresses = Mutex(Addresses())

    /// - Parameters:
    ///   - files: by the name of the face.
    ///   - needsToken: whether the control API wants its token.
    init(_ files: [String: [UInt8]], publicURL: PublicURL?, needsToken: Bool) {
        self.files = files
        self.publicURL = publicURL
        self.needsToken = needsToken
    }

    /// Takes note of where the two ports are.
    func listen(api: ListeningAddress, control: ListeningAddress) {
        addresses.withLock { $0 = Addresses(api: api, control: control) }
    }

    var names: [String] { files.keys.sorted() }

    /// The document, as JSON.
    ///
    /// - Throws: ``Refusal`` when there is none of that name.
    func answer(_ name: String, to exchange: inout Exchange) throws(Refusal) -> HTTPResponse {
        guard let file = files[name], var document = (try? JSON.parse(file))?.object else {
            let evidence = "there are \(names.joined(separator: ", "))"
            throw exchange.refusal(.failed("document", HTTPFault.pathUnknown, evidence: evidence))
        }
        if let address = address(of: name, for: exchange) { document["servers"] = [["url": .string(address)]] }
        // The file allows both, because a server may be started either way; this one wants the token.
        if name == ControlFace.name, needsToken { document["security"] = [["controlToken": []]] }
        return .json(.object(document))
    }

    /// Where the client reaches the face: at the address that it used itself, when it asks on that port; nil when nothing
    /// says.
    private func address(of name: String, for exchange: Exchange) -> String? {
        let (isAboutControl, isAskedAtControl) = (name == ControlFace.name, exchange.face == ControlFace.name)
        if !isAboutControl, let publicURL { return publicURL.text }
        let received = exchange.received
        if isAboutControl == isAskedAtControl, let host = received.headers[.host] {
            return "\(received.isSecure ? "https" : "http")://\(host)"
        }
        // A server that listens everywhere is where the client found the other port.
        let reached = received.headers[.host].map(ControlGate.name)
        return addresses.withLock { isAboutControl ? $0.control : $0.api }?.url(reachedAs: reached)
    }
}

/// Serves the documents of all faces on the API port.
struct DocumentFace: Face {
    let name = "documents"
    let basePaths = [DocumentFace.basePath]
    let documents: Documents

    static let basePath = "/openapi"
    static let path = basePath + "/{document}"

    func endpoints(_ services: Services) -> [any RoutedEndpoint] {
        [Endpoint(Route("documents.openAPI", .get, DocumentFace.path, .sandbox), handler: document)]
    }

    func document(_ exchange: inout Exchange) async throws -> HTTPResponse {
        try documents.answer(DocumentFace.name(exchange), to: &exchange)
    }

    func answer(to failures: [Check], in exchange: Exchange) -> (response: HTTPResponse, deciding: Check) {
        ProblemDocument.answer(to: failures, in: exchange, showsEvidence: true)
    }

    /// The face whose document a path means: `tpc.json` is that of `tpc`.
    static func name(_ exchange: Exchange) -> String {
        let file = exchange.parameters["document"]
        return file.hasSuffix(".json") ? String(file.dropLast(5)) : ""
    }
}

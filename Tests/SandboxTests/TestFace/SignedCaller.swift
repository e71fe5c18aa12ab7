import Core
import Crypto
import Networks
import Traffic
import Web
import Wire

/// Identifies a client by its key in the bearer and its signature over method, URL and raw body.
struct SignedCaller: CallerStage {
    static let signature = HTTPHeaderName("x-testnet-signature")
    let services: Services

    static let credentials = CredentialKind(
        network: "testnet",
        members: [
            CredentialKind.Member("apiKey", isShown: true, roles: [.requestor]),
            CredentialKind.Member("sharedSecret", isSecret: true, roles: [.requestor]),
        ]
    ) { _, members in
        if let given = members["apiKey"], given.string?.isEmpty != false {
            throw CredentialFault(member: "apiKey", wanted: "a text")
        }
        for name in ["apiKey", "sharedSecret"] where members[name] == nil {
            members[name] = .string(Hex.encode(try SecureRandom.bytes(16)))
        }
    }

    static func digest(in request: HTTPRequest) -> String? {
        request.bearer.map { Credential.digest(of: $0, network: credentials.network) }
    }

    func identify(_ exchange: inout Exchange) async throws -> Credential {
        let digest = SignedCaller.digest(in: exchange.request)
        let found = try await services.worlds.read(exchange.tenant) { [services] view in
            try digest.flatMap { try services.credential($0, in: view) }
        }
        guard let found else { throw exchange.refusal(.failed("testnet.key", SignedFault.keyUnknown)) }
        let received = exchange.received
        let checks = SignedCaller.verify(
            received.headers[SignedCaller.signature] ?? "",
            found,
            method: received.method.rawValue,
            urls: exchange.signedURLs.map(\.text),
            body: received.body
        )
        exchange.note(checks)
        guard checks.allSatisfy(\.passed) else { throw Refusal() }
        return found
    }

    static func sign(_ credential: Credential, method: String, url: String, body: [UInt8]) -> String {
        let text = "\(method) \(url) \(Hex.encode(Hash.sha256.digest(body)))"
        let secret = SecretBytes(Array((credential.text("sharedSecret") ?? "").utf8))
        return Hex.encode(HMAC.sha256(Array(text.utf8), key: secret))
    }

    /// The verify step; `explain` takes it, too.
    static func verify(
        _ signature: String,
        _ credential: Credential,
        method: String,
        urls: [String],
        body: [UInt8]
    ) -> [Check] {
        for url in urls where sign(credential, method: method, url: url, body: body) == signature {
            return [.passed("testnet.signature", evidence: "over \(url)")]
        }
        return [.failed("testnet.signature", SignedFault.signature, evidence: "tried \(urls.joined(separator: ", "))")]
    }

    static let explanation = Explanation("testnet-signature") { value, explainer in
        let context = explainer.context
        guard let key = context.keyID else { throw context.missing("keyId") }
        let digest = Credential.digest(of: key, network: credentials.network)
        let services = explainer.services
        guard let found = try await explainer.read({ view in try services.credential(digest, in: view) }) else {
            throw context.keyUnknown([])
        }
        return verify(
            value,
            found,
            method: context.request.method ?? "",
            urls: [context.request.url ?? ""],
            body: Array((context.request.body ?? "").utf8)
        )
    }
}

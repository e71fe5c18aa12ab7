import Core
import Masking
import Traffic
import Web
import Wire

/// What every call of `/banking` begins with: the bearer, and the issuer of the path.
struct D1IssuerCaller: Sendable {
    let issuer: Issuer
    let now: Instant
    let strictness: Strictness

    var issuerID: String { issuer.issuerID }

    /// - Throws: ``Refusal`` for an issuer that is unknown (404) or a bearer that is not good (401).
    init(_ exchange: inout Exchange, _ services: Services) async throws {
        D1IssuerCaller.checkCorrelation(&exchange)
        let issuerID = exchange.parameters["issuerId"]
        let cardID = exchange.parameters["cardId"]
        if !cardID.isEmpty { exchange.subject.note(FaultSubject.CardName(issuerID: issuerID, reference: cardID)) }
        let token = exchange.request.bearer
        let found = try await services.worlds.read(exchange.tenant) { view in
            (
                issuer: try view.store.record(Issuer.self, issuerID),
                bearer: try token.flatMap { try view.store.record(D1Bearer.self, D1Secret.recordID($0)) },
                now: view.now
            )
        }
        if found.issuer == nil {
            let (place, evidence) = (Check.Place.path("issuerId"), Masking.excerpt(issuerID, 16))
            exchange.note(.failed("issuer", D1RegistryFault.issuerUnknown, at: place, evidence: evidence))
        }
        let bearer = D1IssuerCaller.check(found.bearer, isSent: token != nil, issuerID: issuerID, now: found.now)
        exchange.note(bearer.at(.header("authorization")))
        guard let issuer = found.issuer, exchange.failures.isEmpty else { throw Refusal() }
        self.issuer = issuer
        now = found.now
        strictness = issuer.strictness(tenant: exchange.settings.strictness)
    }

    /// The strictness of the path's issuer, for what is judged before a handler runs.
    static func strictness(_ services: Services) -> Endpoint.StrictnessRule {
        { exchange in
            let (id, tenant) = (exchange.parameters["issuerId"], exchange.settings.strictness)
            let issuer = try await services.worlds.read(exchange.tenant) { try $0.store.record(Issuer.self, id) }
            return issuer?.strictness(tenant: tenant) ?? tenant
        }
    }

    private static func check(_ bearer: D1Bearer?, isSent: Bool, issuerID: String, now: Instant) -> Check {
        guard isSent else { return .failed("bearer", D1RegistryFault.bearerMissing) }
        guard let bearer else { return .failed("bearer", D1RegistryFault.bearerUnknown) }
        guard now < bearer.expiresAt else {
            let evidence = "until \(RFC3339.format(bearer.expiresAt)), now \(RFC3339.format(now))"
            return .failed("bearer", D1RegistryFault.bearerExpired, evidence: evidence)
        }
        guard bearer.issuerID == issuerID else {
            return .failed("bearer", D1RegistryFault.bearerOtherIssuer, evidence: "of \(bearer.issuerID)")
        }
        return .passed("bearer")
    }

    static let correlationID = HTTPHeaderName("x-correlation-id")

    /// Optional, 1 to 64 of a small alphabet (thales-push-provisioning 5.1).
    private static func checkCorrelation(_ exchange: inout Exchange) {
        guard let text = exchange.request.headers[correlationID], !isCorrelationID(text) else { return }
        exchange.note(
            .warning(
                "header.x-correlation-id",
                D1RegistryFault.correlationID,
                at: .header("x-correlation-id"),
                evidence: "\(text.utf8.count) characters"
            )
        )
    }

    private static func isCorrelationID(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x20, 0x2D, 0x2E, 0x5F: true
                default: false
                }
            }
    }

    /// The answer, with the caller's correlation id.
    static func correlated(_ response: HTTPResponse, _ exchange: Exchange) -> HTTPResponse {
        guard let text = exchange.request.headers[correlationID], isCorrelationID(text) else { return response }
        var response = response
        response.headers[correlationID] = text
        return response
    }
}

/// Members and path parameters that several calls have.
enum D1IssuerFields {
    /// An id of the path or the body; nil with a note when its form is wrong.
    static func identifier(
        _ text: String,
        _ name: String,
        at place: Check.Place,
        limit: Int,
        _ exchange: inout Exchange
    ) -> String? {
        guard D1Identifier.isValid(text, limit: limit) else {
            let evidence = "\(text.utf8.count) characters"
            exchange.note(.failed(name, D1RegistryFault.identifierForm, at: place, evidence: evidence))
            return nil
        }
        return text
    }

    static func consumerID(_ exchange: inout Exchange) -> String? {
        let id = exchange.parameters["consumerId"]
        return identifier(id, "path.consumerId", at: .path("consumerId"), limit: 64, &exchange)
    }

    /// A cardId that is or holds a card number is refused like everywhere else.
    static func cardID(_ text: String, _ name: String, at place: Check.Place, _ exchange: inout Exchange) -> String? {
        guard let id = identifier(text, name, at: place, limit: D1Identifier.cardLimit, &exchange) else { return nil }
        if let refusal = CardReference.cardNumberCheck(id, name) {
            exchange.note(refusal.at(place))
            return nil
        }
        return id
    }
}

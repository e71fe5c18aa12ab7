import Core
import Masking
import Traffic
import Web
import Wire

/// Who calls `/banking`: the issuer of the path, whose the bearer is.
struct D1IssuerCaller: Sendable {
    let issuer: Issuer
    let now: Instant
    let strictness: Strictness

    var issuerID: String { issuer.issuerID }
}

/// Identifies the caller by the bearer of the token endpoint.
struct D1IssuerCallers: CallerStage {
    let services: Services

    let looksAtHead = true

    /// - Throws: ``Refusal`` for an issuer that is unknown (404) or a bearer that is not good (401).
    func identify(_ exchange: inout Exchange) async throws -> D1IssuerCaller {
        D1IssuerCallers.checkCorrelation(&exchange)
        let issuerID = exchange.parameters["issuerId"]
        let cardID = exchange.parameters["cardId"]
        if !cardID.isEmpty { exchange.subject.note(FaultSubject.CardName(issuerID: issuerID, reference: cardID)) }
        let token = exchange.request.bearer
        let found = try await services.worlds.read(exchange.tenant) { view in
            (
                issuer: try view.store.record(Issuer.self, issuerID),
                bearer: try token.flatMap { try view.store.record(D1Bearer.self, GivenSecret.recordID($0)) },
                now: view.now
            )
        }
        if found.issuer == nil {
            let (place, evidence) = (Check.Place.path("issuerId"), Masking.excerpt(issuerID, 16))
            exchange.note(.failed("issuer", D1IssuerFault.issuerUnknown, at: place, evidence: evidence))
        }
        let bearer = D1IssuerCallers.check(found.bearer, isSent: token != nil, issuerID: issuerID, now: found.now)
        exchange.note(bearer.at(.header("authorization")))
        guard let issuer = found.issuer, exchange.failures.isEmpty else { throw Refusal() }
        let strictness = issuer.strictness(tenant: exchange.settings.strictness)
        return D1IssuerCaller(issuer: issuer, now: found.now, strictness: strictness)
    }

    /// The strictness of the path's issuer.
    func strictness(for exchange: Exchange) async throws -> Strictness {
        let (id, tenant) = (exchange.parameters["issuerId"], exchange.settings.strictness)
        let issuer = try await services.worlds.read(exchange.tenant) { try $0.store.record(Issuer.self, id) }
        return issuer?.strictness(tenant: tenant) ?? tenant
    }

    private static func check(_ bearer: D1Bearer?, isSent: Bool, issuerID: String, now: Instant) -> Check {
        guard isSent else { return .failed("bearer", D1IssuerFault.bearerMissing) }
        guard let bearer else { return .failed("bearer", D1IssuerFault.bearerUnknown) }
        guard now < bearer.expiresAt else {
            let evidence = "until \(RFC3339.format(bearer.expiresAt)), now \(RFC3339.format(now))"
            return .failed("bearer", D1IssuerFault.bearerExpired, evidence: evidence)
        }
        guard bearer.issuerID == issuerID else {
            return .failed("bearer", D1IssuerFault.bearerOtherIssuer, evidence: "of \(bearer.issuerID)")
        }
        return .passed("bearer")
    }

    static let correlationID = HTTPHeaderName("x-correlation-id")

    /// The caller's correlation id; nil without one, and for one of another form.
    static func correlationID(of request: HTTPRequest) -> String? {
        request.headers[correlationID].flatMap { isCorrelationID($0) ? $0 : nil }
    }

    /// Optional, 1 to 64 of a small alphabet (thales-push-provisioning 5.1).
    private static func checkCorrelation(_ exchange: inout Exchange) {
        guard let text = exchange.request.headers[correlationID], !isCorrelationID(text) else { return }
        exchange.note(
            .warning(
                "header.x-correlation-id",
                D1IssuerFault.correlationID,
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
}

import Core
import Crypto
import Traffic
import Web
import Wire

/// Whose call it is, and what opens and verifies what it carries.
struct TPCCaller: Sendable {
    /// Nil when the path names none; form is still checked, so that all mistakes are told at once.
    let issuer: Issuer?
    let issuerID: String
    let now: Instant
    let strictness: Strictness
    let recipients: [PayloadRecipient]
    let panPolicy: PANPolicy

    /// Opens an encrypted payload. Without an issuer this is done too: the payload's own mistakes are worth telling.
    func open(_ payload: String, network: PaymentNetwork?) throws -> Checked<CardData> {
        try PayloadOpener.open(
            payload,
            recipients: recipients,
            network: network,
            rules: CardNumberRules(policy: panPolicy, strictness: strictness, now: now)
        )
        .at(TPCField.encryptedPayload.place)
    }

    func verify(_ code: String, _ purpose: AuthorizationCode.Purpose) -> Checked<AuthorizationCode> {
        AuthorizationCode.verify(code, issuer: issuer, purpose: purpose, now: now, strictness: strictness)
            .at(TPCField.authorizationCode.place)
    }
}

extension Exchange {
    /// Notes what opening a payload found, and whose card it is; gives the card.
    mutating func takeCard(_ opened: Checked<CardData>?) -> CardData? {
        guard let opened, let card = take(opened) else { return nil }
        subject.note(card.pan)
        return card
    }
}

/// Identifies the caller by the issuer in the path. The authorization code in the body is the operation's own to verify.
struct TPCCallers: CallerStage {
    let services: Services
    /// False for operations that verify no authorization code. One that is sent all the same must not choose the rules,
    /// because nobody looks at its signature.
    var takesCode = true

    func identify(_ exchange: inout Exchange) async throws -> TPCCaller {
        let id = exchange.parameters["issuerId"]
        let builtIn = services.keyring.payloadRecipients
        let found = try await services.worlds.read(exchange.tenant) { view in
            (issuer: try view.store.record(Issuer.self, id), now: view.now, keys: try view.payloadRecipients(builtIn))
        }
        exchange.note(.issuer(found.issuer, named: id, at: .path("issuerId")))
        return TPCCaller(
            issuer: found.issuer,
            issuerID: id,
            now: found.now,
            strictness: strictness(found.issuer, exchange),
            recipients: found.keys,
            panPolicy: services.worlds.environment.panPolicy
        )
    }

    func strictness(for exchange: Exchange) async throws -> Strictness {
        let id = exchange.parameters["issuerId"]
        let issuer = try await services.worlds.read(exchange.tenant) { try $0.store.record(Issuer.self, id) }
        return strictness(issuer, exchange)
    }

    /// The strictness of the key that the authorization code names, else the issuer's, else the tenant's.
    private func strictness(_ issuer: Issuer?, _ exchange: Exchange) -> Strictness {
        let tenant = exchange.settings.strictness
        guard let issuer else { return tenant }
        let own = issuer.strictness(tenant: tenant)
        // The body is read for it only where a key has a strictness of its own.
        guard takesCode, issuer.keys(for: .authorizationCode).contains(where: { $0.strictness != nil }) else {
            return own
        }
        let code = (try? JSON.parse(exchange.request.body))?["authorizationCode"]?.string
        return issuer.strictness(of: code, use: .authorizationCode, tenant: tenant)
    }
}

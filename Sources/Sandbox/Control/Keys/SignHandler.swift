import Core
import Crypto
import Masking
import Networks
import Traffic
import Web
import Wire

/// What an issuer's backend makes, for whoever has not our command line: signed tokens, activation data, payloads. Only for
/// issuers whose private keys the sandbox holds.
struct SignHandler: Sendable {
    let services: ControlServices

    var endpoints: [ControlEndpoint] {
        let uses = services.apiFaces.flatMap(\.tokenUses)
        return uses.map { use in
            .control("sign." + use.signing.name, .post, "/v1/sign/" + use.signing.name) { exchange in
                try await sign(&exchange, use)
            }
        } + [
            .control("sign.tav", .post, "/v1/sign/tav", handler: tav),
            .control("seal", .post, "/v1/seal", handler: seal),
        ]
    }

    private func sign(_ exchange: inout Exchange, _ use: SignedTokenUse) async throws -> HTTPResponse {
        let fields = try ControlFields(exchange)
        fields.expect("issuerId", "sub", "aud", "ttl", "kid", "claims")
        let issuerID = try fields.string("issuerId")
        let subject = try fields.string("sub")
        let life = try fields.integer("ttl", in: -(1 << 40)...1 << 40) ?? 300
        let given = try fields.read("claims", "an object") { $0.object } ?? JSONObject()
        let (issuer, now) = try await known(issuerID, fields, exchange)
        let held = issuer.keys(for: use.use).first { $0.privatePEM != nil }?.privatePEM
        let key = try held.map { try PrivateKey(pem: $0) } ?? key(issuerID, use.signing.file, fields)
        guard let algorithm = use.algorithms.first(where: { $0.keyKind == key.kind }) else {
            throw Refusal(.failed(.member("issuerId"), ControlFault.privateKeyNotHeld, evidence: use.signing.file))
        }
        var claims = JSONObject([("iss", .string(issuerID)), ("sub", .string(subject))])
        if let audience = fields.value("aud") {
            claims["aud"] = audience
        } else if let usual = use.signing.audience(issuerID, issuer) {
            claims["aud"] = .string(usual)
        }
        claims["iat"] = .number(now.seconds)
        claims["exp"] = .number(now.seconds + life)
        for (name, value) in try use.signing.claims(issuer).members { claims[name] = value }
        // Whatever a test wants, null takes a claim away.
        for (name, value) in given.members { claims[name] = value.isNull ? nil : value }
        let kid = try fields.optionalString("kid") ?? keyID(use, issuer, key)
        let payload = claims
        let token = try await services.faces.lane.run {
            try JWSSigner.sign(.object(payload), algorithm, key: key, kid: kid)
        }
        return .json(["token": .string(token)])
    }

    /// The name under which the issuer registered the key, else that of the demo issuers.
    private func keyID(_ use: SignedTokenUse, _ issuer: Issuer, _ key: PrivateKey) -> String {
        let own = issuer.keys(for: use.use).first { (try? PublicKey(pem: $0.pem))?.pem == key.publicKey.pem }
        return own?.keyID ?? use.signing.keyID(of: issuer.issuerID)
    }

    func tav(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let fields = try ControlFields(exchange)
        fields.expect("issuerId", "pan", "exp", "version", "validUntil")
        let issuerID = try fields.string("issuerId")
        let pan = try fields.required("pan", fields.optionalString("pan", "12 to 19 digits") { PAN($0) })
        let expiry = try fields.required("exp", fields.optionalString("exp", "MMYY") { try? CardExpiry(mmyy: $0) })
        let version = try fields.read("version", "2, 3 or 4") { value in
            TAV.Version(rawValue: value.string ?? value.integer.map(String.init) ?? "")
        }
        let until = try fields.optionalString("validUntil", "an RFC 3339 time") { RFC3339.parse($0) }
        let (issuer, now) = try await known(issuerID, fields, exchange)
        let held = issuer.networkKeys.mastercard.first { $0.privatePEM != nil }
        let key = try held?.privatePEM.map { try PrivateKey(pem: $0) } ?? key(issuerID, "tav", fields)
        let content = TAV.Content(
            version: version ?? .three,
            pan: pan,
            expiry: expiry,
            validUntil: Instant(seconds: (until ?? now.adding(seconds: TAV.lifeSeconds)).seconds),
            tokenID: nil,
            keyAlias: held?.alias ?? issuer.networkKeys.mastercard.compactMap(\.alias).first
                ?? String(issuerID.prefix(10))
        )
        let document = try await services.faces.lane.run { try TAV.make(content, key: key) }
        return .json(["token": .string(Base64.encode(document))])
    }

    func seal(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let fields = try ControlFields(exchange)
        fields.expect("card", "keyId", "format")
        let card = try fields.required("card", fields.read("card", "an object") { $0.object })
        let format = try fields.optionalString("format", "hex or base64") { ["hex", "base64"].contains($0) ? $0 : nil }
        let keyID = try fields.optionalString("keyId")
        let builtIn = services.faces.keyring.payloadRecipients
        let recipients = try await services.worlds.read(exchange.tenant) { view in
            try view.payloadRecipients(builtIn).filter { $0.standing != .retired }
        }
        let chosen = recipients.first { key in keyID.map { $0 == key.keyId } ?? (key.standing == .active) }
        guard let recipient = chosen else {
            throw fields.invalid("keyId", "one of \(recipients.map(\.keyId).joined(separator: ", "))")
        }
        let sealed = try await services.faces.lane.run {
            try EnvelopedDataSealer.seal(JSON.object(card).bytes, to: recipient.certificate)
        }
        return .json(["payload": .string(format == "base64" ? Base64.encode(sealed) : Hex.encode(sealed))])
    }

    private func known(
        _ issuerID: String,
        _ fields: ControlFields,
        _ exchange: Exchange
    ) async throws -> (issuer: Issuer, now: Instant) {
        let found = try await services.worlds.read(exchange.tenant) { view in
            try view.store.record(Issuer.self, issuerID).map { (issuer: $0, now: view.now) }
        }
        guard let found else {
            let evidence = Masking.excerpt(issuerID, 16)
            throw fields.refusal("issuerId", ControlFault.issuerNotFound, evidence: evidence)
        }
        return found
    }

    private func key(_ issuerID: String, _ file: String, _ fields: ControlFields) throws -> PrivateKey {
        if let key = try services.issuerKeys.key(of: issuerID, file) { return key }
        throw fields.refusal("issuerId", ControlFault.privateKeyNotHeld, evidence: "\(issuerID), \(file)")
    }
}

package import Core
package import Crypto
import Sandbox
package import Wire

/// The steps of D1 as an app, its Wallet extension and the issuer's backend take them.
extension TestSandbox {
    package static let appGroup = "group.com.demobank.app"
    package static let walletExtension = application + ".wallet"
    package static let walletExtensionUI = application + ".wallet-ui"
    /// One white pixel: card art that breaks the rules, which is only warned.
    package static let tinyArt =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAG7buVgAAAABJRU5ErkJggg=="

    /// `configure` for one issuer.
    package func configure(
        _ deviceID: String,
        _ cards: [(id: String, last4: String?)],
        consumer: String = "consumer-ana",
        issuerID: String = "DEMOBANK01",
        application: String = TestSandbox.application,
        appGroup: String = TestSandbox.appGroup
    ) async throws -> TestReply {
        try await api(
            "POST",
            "/d1/client/v1/configure",
            [
                "deviceId": .string(deviceID), "application": .string(application), "appGroupID": .string(appGroup),
                "issuerId": .string(issuerID), "consumerId": .string(consumer),
                "cardParamsList": Self.cardParams(cards),
            ]
        )
    }

    package static func cardParams(_ cards: [(id: String, last4: String?)]) -> JSON {
        .array(
            cards.map { card in
                let json: JSON = [
                    "cardId": .string(card.id), "productTitle": .string("Demo \(card.id)"), "cardArt": .string(tinyArt),
                ]
                return card.last4.map { json.adding("last4", .string($0)) } ?? json
            }
        )
    }

    /// Registers an application of `DEMOBANK01` anew.
    package func registerApplication(
        _ identifier: String,
        _ kind: String,
        isEntitled: Bool = true,
        appGroups: [String] = [TestSandbox.appGroup]
    ) async throws -> TestReply {
        let body: JSON = [
            "issuerId": "DEMOBANK01", "kind": .string(kind), "entitled": .bool(isEntitled),
            "appGroupIDs": .strings(appGroups),
        ]
        return try await control("PUT", "/v1/applications/\(identifier)", body)
    }

    /// `bindingHash()`.
    package func bindingHash(
        _ deviceID: String,
        application: String = TestSandbox.walletExtensionUI,
        context: String = "extension",
        value: String? = nil
    ) async throws -> TestReply {
        var body: JSON = [
            "deviceId": .string(deviceID), "application": .string(application), "context": .string(context),
        ]
        if let value { body = body.adding("value", .string(value)) }
        return try await api("POST", "/d1/client/v1/binding-hash", body)
    }

    /// `login` with tokens that were made before.
    package func login(
        _ deviceID: String,
        _ tokens: [String],
        application: String = TestSandbox.walletExtensionUI,
        context: String = "extension"
    ) async throws -> TestReply {
        try await api(
            "POST",
            "/d1/client/v1/login",
            [
                "deviceId": .string(deviceID), "application": .string(application), "context": .string(context),
                "issuerTokens": .strings(tokens),
            ]
        )
    }

    /// Binding, token and login of one consumer of `DEMOBANK01`; gives the session token.
    package func session(
        _ deviceID: String,
        consumer: String = "consumer-ana",
        application: String = TestSandbox.walletExtensionUI,
        context: String = "extension"
    ) async throws -> String {
        let hash = try await bindingHash(deviceID, application: application, context: context)["bindingHash"].string
        let token = try TestIssuer(self).token(sub: consumer, cbp: hash)
        let reply = try await login(deviceID, [token], application: application, context: context)
        return reply["sessionToken"].string ?? "no session: \(reply.text)"
    }

    /// Changes the default world directly, for states that no call leads to.
    package func change(_ body: @escaping @Sendable (World) throws -> Void) async throws {
        try await application.worlds.write(.default, body)
    }

    /// A call with a session token.
    package func d1(_ method: String, _ path: String, _ session: String, _ body: JSON? = nil) async throws -> TestReply
    {
        try await send(
            .api,
            method,
            "/d1/client/v1/" + path,
            body?.bytes,
            [("Authorization", "Bearer \(session)")]
        )
    }
}

extension TestIssuer {
    /// An issuer token that is right for now; `changes` replaces claims, `null` removes one.
    package func token(
        sub: String = "consumer-ana",
        cbp: String? = nil,
        changes: [(String, JSON)] = [],
        algorithm: JWSAlgorithm = .es256,
        key: PrivateKey? = nil,
        kid: String? = nil,
        header: JSONObject = JSONObject()
    ) throws -> String {
        var claims = tokenClaims(sub: sub, cbp: cbp)
        for (name, value) in changes { claims[name] = value.isNull ? JSON?.none : value }
        return try JWSSigner.sign(
            .object(claims),
            algorithm,
            key: key ?? tokenKey(),
            kid: kid ?? "\(issuerID.lowercased())-d1-1",
            header: header
        )
    }

    /// Claims of an issuer token that are right for now.
    package func tokenClaims(sub: String, cbp: String?) -> JSONObject {
        let now = now.seconds
        var claims = JSONObject([
            ("iss", .string(issuerID)), ("sub", .string(sub)),
            ("aud", .string("https://d1.sandbox.test/oidc/\(issuerID)")), ("scope", "digibank:mobilebanking"),
            ("iat", .number(now)), ("exp", .number(now + 300)),
            ("jti", .string(Hex.encode((try? SecureRandom.bytes(16)) ?? []))),
        ])
        if let cbp { claims["cbp"] = .string(cbp) }
        return claims
    }

    package func tokenKey() throws -> PrivateKey {
        try PrivateKey(pem: try key("issuers/\(issuerID)/d1.key.pem"))
    }
}

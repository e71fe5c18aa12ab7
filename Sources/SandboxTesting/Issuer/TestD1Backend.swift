import Core
package import Crypto
package import Wire

/// The issuer's backend as it calls D1's API.
extension TestSandbox {
    /// The form body of the token endpoint.
    package func tokenRequest(
        _ assertion: String,
        grant: String = "urn:ietf:params:oauth:grant-type:jwt-bearer"
    ) async throws -> TestReply {
        try await send(
            .api,
            "POST",
            "/authz/v1/oauth2/token",
            Array("grant_type=\(grant)&assertion=\(assertion)".utf8),
            [("Content-Type", "application/x-www-form-urlencoded")]
        )
    }

    /// An access token of the issuer.
    package func bearer(_ issuerID: String = "DEMOBANK01") async throws -> String {
        try await tokenRequest(TestIssuer(self, issuerID).assertion())["access_token"].string ?? "none"
    }

    /// A call to `/banking` with an access token.
    package func banking(
        _ method: String,
        _ path: String,
        _ bearer: String,
        _ body: JSON? = nil
    ) async throws -> TestReply {
        try await send(.api, method, "/banking/" + path, body?.bytes, [("Authorization", "Bearer \(bearer)")])
    }
}

extension TestIssuer {
    /// An assertion for the token endpoint that is right for now; `null` removes a claim.
    package func assertion(
        changes: [(String, JSON)] = [],
        algorithm: JWSAlgorithm = .es256,
        key: PrivateKey? = nil,
        kid: String? = nil
    ) throws -> String {
        var claims = JSONObject([
            ("iss", .string(issuerID)), ("sub", .string(issuerID)), ("iat", .number(now.seconds)),
            ("exp", .number(now.seconds + 600)),
        ])
        for (name, value) in changes { claims[name] = value.isNull ? JSON?.none : value }
        return try JWSSigner.sign(
            .object(claims),
            algorithm,
            key: key ?? tokenKey(),
            kid: kid ?? "\(issuerID.lowercased())-d1-1"
        )
    }

    /// `encryptedData` of a card.
    package func encryptedData(_ pan: String, exp: String = "1230") throws -> String {
        let card: JSON = ["pan": .string(pan), "exp": .string(exp)]
        let recipient = try PublicKey(pem: try key("d1/encryption.pub.pem"))
        return try JWESealer.seal(card.bytes, to: recipient, kid: "D1-ENC-1")
    }
}

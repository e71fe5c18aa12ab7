import Core
import Crypto
import Wire

extension IssuerToken {
    /// The token of a login among an issuer's signed tokens.
    static let tokenUse: SignedTokenUse = {
        var use = SignedTokenUse(
            .issuerToken,
            signing: SignedTokenUse.Signing(
                name: "issuer-token",
                file: "d1",
                keySuffix: "-d1-1",
                audience: { issuerID, issuer in issuer?.d1Audience.first ?? Issuer.usualD1Audience(issuerID) },
                claims: { issuer in
                    JSONObject([
                        ("scope", .string(issuer?.d1Scopes.first ?? Issuer.usualD1Scope)),
                        ("jti", .string(Hex.encode(try SecureRandom.bytes(16)))),
                    ])
                }
            ),
            isMeant: { claims, _ in claims["scope"] != nil || claims["cbp"] != nil },
            checks: checks
        )
        use.subject = .several
        return use
    }()

    private static func checks(
        _ text: String,
        _ claimed: UnverifiedToken,
        _ subject: SignedTokenSubject,
        _ explainer: Explainer
    ) async throws -> [Check] {
        let field = "issuerTokens[0]"
        let issuer = subject.claimed
        let strictness =
            issuer?.strictness(of: text, use: .issuerToken, tenant: subject.strictness) ?? subject.strictness
        let token = UnverifiedToken(text, field: field, strictness: strictness)
        let keyOwner = issuer == nil ? subject.named ?? subject.keyOwner : nil
        let verified = await explainer.services.lane.run {
            IssuerToken.verify(token, issuer: issuer, keyOwner: keyOwner, now: subject.now, strictness: strictness)
        }
        let checks = explainer.lookUpChecks(issuer, claimed) + verified.checks
        guard let value = verified.value else { return checks }
        return checks + (try await explainer.read { view in try view.loginChecks([(field, value)], nil) })
    }
}

import Core
import Crypto
import Wire

extension D1Assertion {
    /// The assertion among an issuer's signed tokens.
    static let tokenUse: SignedTokenUse = {
        var use = SignedTokenUse(
            .d1Assertion,
            signing: SignedTokenUse.Signing(
                name: "d1-assertion",
                file: "d1",
                keySuffix: "-d1-1",
                audience: { _, _ in nil },
                claims: { _ in JSONObject([("jti", .string(Hex.encode(try SecureRandom.bytes(16))))]) }
            ),
            isMeant: { claims, issuerID in
                issuerID != nil && claims["sub"]?.string == issuerID && claims["aud"] == nil
            },
            checks: checks
        )
        use.mayLiveLong = true
        return use
    }()

    private static func checks(
        _ text: String,
        _ claimed: UnverifiedToken,
        _ subject: SignedTokenSubject,
        _ explainer: Explainer
    ) async throws -> [Check] {
        let issuer = subject.claimed
        let strictness =
            issuer?.strictness(of: text, use: .d1Assertion, tenant: subject.strictness) ?? subject.strictness
        let token = UnverifiedToken(text, field: D1Assertion.field, strictness: strictness)
        let verified = await explainer.services.lane.run {
            D1Assertion.verify(token, issuer: issuer, now: subject.now, strictness: strictness)
        }
        let checks = explainer.lookUpChecks(issuer, claimed) + verified.checks
        guard let value = verified.value else { return checks }
        return checks + (try await explainer.read { try value.replayChecks(in: $0) })
    }
}

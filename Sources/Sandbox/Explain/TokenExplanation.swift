import Core
import Crypto
import Masking
import Networks
import Traffic
import Wire

/// A signed token: an authorization code, an issuer token or an assertion for D1's token endpoint.
/// A signed token of any use that a face takes: which use it has, and what that face's verifier says of it.
struct TokenExplanation: Sendable {
    static func explanation(_ uses: [SignedTokenUse]) -> Explanation {
        Explanation("jws") { text, explainer in
            try await TokenExplanation(uses: uses, explainer: explainer).checks(text)
        }
    }

    let uses: [SignedTokenUse]
    let explainer: Explainer
    var context: ExplainContext { explainer.context }

    private func checks(_ text: String) async throws -> [Check] {
        // What is read here is used to find keys; nothing in it is trusted.
        let claimed = UnverifiedToken(text, field: "token", strictness: .lenient)
        let (named, claimedID, keyID) = (context.issuerID, claimed.issuerID, claimed.keyID)
        let subject = try await explainer.read { view in
            SignedTokenSubject(
                named: try named.flatMap { try view.store.record(Issuer.self, $0) },
                claimed: try claimedID.flatMap { try view.store.record(Issuer.self, $0) },
                keyOwner: try keyID.flatMap { try view.issuer(holding: $0, for: .issuerToken) },
                now: view.now,
                strictness: view.tenant.settings.strictness
            )
        }
        let possible = possibleUses(of: claimed, subject)
        guard possible.count == 1, let use = possible.first else {
            return try await anyUse(text, claimed, subject, possible)
        }
        let ready = try subject.keeping(keyID: context.keyID, uses: [use.use], context)
        return try await use.checks(text, claimed, ready, explainer) + contextChecks(claimed, use)
    }

    /// What the context says of `sub` and `aud` and no verifier looks at.
    ///
    /// - Parameter use: nil when it is not known.
    func contextChecks(_ claimed: UnverifiedToken, _ use: SignedTokenUse?) -> [Check] {
        guard let claims = claimed.jws?.claims else { return [] }
        var checks: [Check] = []
        let kind = use?.subject ?? .several
        if let wanted = context.subject, kind != .verified {
            let found = claims["sub"]?.string ?? "absent"
            let all = kind == .several ? found.split(separator: " ").map(String.init) : [found]
            checks.append(
                all.contains(wanted)
                    ? .passed("context.sub")
                    : .failed(
                        "context.sub",
                        ExplainFault.subjectDiffers,
                        evidence: "sub is \(Masking.excerpt(found, 64)), wanted \(Masking.excerpt(wanted, 64))"
                    )
            )
        }
        if let wanted = context.audience {
            let found = claims["aud"]?.string.map { [$0] } ?? claims["aud"]?.array?.compactMap(\.string) ?? []
            let seen =
                found.isEmpty ? "absent" : found.prefix(4).map { Masking.excerpt($0, 80) }.joined(separator: ", ")
            checks.append(
                found.contains(wanted)
                    ? .passed("context.aud")
                    : .failed(
                        "context.aud",
                        ExplainFault.audienceDiffers,
                        evidence: "aud is \(seen), wanted \(Masking.excerpt(wanted, 80))"
                    )
            )
        }
        return checks
    }
}

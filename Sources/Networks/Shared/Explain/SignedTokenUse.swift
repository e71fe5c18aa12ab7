package import Core
package import Crypto
import Masking
package import Wire

/// One use of signed tokens (JWS), as the face that takes them describes it: how they are signed, told from those of other
/// uses, and verified.
package struct SignedTokenUse: Sendable {
    /// Which of an issuer's keys sign them.
    package let use: IssuerKey.Use
    /// What they may be signed with.
    package var algorithms: [JWSAlgorithm] { use.algorithms }
    /// A token may leave `kid` out, if nobody wants exactness.
    package var mayLackKeyID = false
    /// A long life is not remarked.
    package var mayLiveLong = false
    /// What the `sub` is held against when somebody knows it.
    package var subject = Subject.single
    /// How one is made.
    package let signing: Signing
    /// Whether these claims can be of this use only. The second argument is the `iss`.
    package let isMeant: @Sendable (JSON, String?) -> Bool
    /// The checks of a token: those of the step that verifies it in the face's handler.
    package let checks: @Sendable (String, UnverifiedToken, SignedTokenSubject, Explainer) async throws -> [Check]

    /// What stands in `sub`.
    package enum Subject: Sendable {
        /// One name.
        case single
        /// Names with spaces between.
        case several
        /// What the use's own verifier looks at.
        case verified
    }

    /// How a token is made for a demo issuer, or for one whose private key the sandbox holds.
    package struct Signing: Sendable {
        /// What `sign` calls it, for example `authorization-code`.
        package let name: String
        /// The key's file below `keys/issuers/{issuerId}/`, without `.key.pem`.
        package let file: String
        /// What follows the issuer's id, in lower case, in the `kid` of the demo issuers' keys.
        package let keySuffix: String
        /// The `aud` where none is wanted; nil for a token that has none.
        package let audience: @Sendable (_ issuerID: String, Issuer?) -> String?
        /// Claims that it has besides `iss`, `sub`, `aud`, `iat` and `exp`.
        package let claims: @Sendable (Issuer?) throws -> JSONObject

        /// Made of its members.
        package init(
            name: String,
            file: String,
            keySuffix: String,
            audience: @escaping @Sendable (String, Issuer?) -> String?,
            claims: @escaping @Sendable (Issuer?) throws -> JSONObject = { _ in JSONObject() }
        ) {
            self.name = name
            self.file = file
            self.keySuffix = keySuffix
            self.audience = audience
            self.claims = claims
        }

        /// The `kid` of a demo issuer's key.
        package func keyID(of issuerID: String) -> String { issuerID.lowercased() + keySuffix }
    }

    /// Made of what every use has.
    package init(
        _ use: IssuerKey.Use,
        signing: Signing,
        isMeant: @escaping @Sendable (JSON, String?) -> Bool,
        checks: @escaping @Sendable (String, UnverifiedToken, SignedTokenSubject, Explainer) async throws -> [Check]
    ) {
        self.use = use
        self.signing = signing
        self.isMeant = isMeant
        self.checks = checks
    }
}

/// Who may have signed a token that is explained.
package struct SignedTokenSubject: Sendable {
    /// The issuer that the context names.
    package var named: Issuer?
    /// The issuer that the token's `iss` names.
    package var claimed: Issuer?
    /// The issuer that has the token's `kid`, for tokens whose `iss` leads nowhere.
    package var keyOwner: Issuer?
    /// By the tenant's clock.
    package let now: Instant
    /// The tenant's.
    package let strictness: Strictness

    /// Made of its members.
    package init(named: Issuer?, claimed: Issuer?, keyOwner: Issuer?, now: Instant, strictness: Strictness) {
        self.named = named
        self.claimed = claimed
        self.keyOwner = keyOwner
        self.now = now
        self.strictness = strictness
    }

    /// The same with only the keys of that name for the uses.
    ///
    /// - Throws: ``Refusal`` when there is none.
    package func keeping(keyID: String?, uses: [IssuerKey.Use], _ context: ExplainContext) throws -> SignedTokenSubject
    {
        guard let keyID else { return self }
        var kept = self
        var known: Set<String> = []
        func filtered(_ issuer: Issuer?) -> Issuer? {
            guard var issuer else { return nil }
            known.formUnion(uses.flatMap { issuer.keys(for: $0) }.compactMap(\.keyID))
            issuer.verificationKeys.removeAll { uses.contains($0.use) && $0.keyID != keyID }
            return issuer
        }
        kept.named = filtered(named)
        kept.claimed = filtered(claimed)
        kept.keyOwner = filtered(keyOwner)
        guard known.contains(keyID) else { throw context.keyUnknown(known.sorted()) }
        return kept
    }
}

extension Explainer {
    /// Whose keys are used, and who said so.
    package func issuerCheck(_ issuer: Issuer?, _ claimed: UnverifiedToken) -> Check {
        if let named = context.issuerID { return .issuer(issuer, named: named) }
        guard let id = claimed.issuerID else {
            let evidence = "no issuerId in the context, and no iss that can be read in the token"
            return .failed("issuer", IssuerFault.unknown, evidence: evidence)
        }
        guard issuer != nil else { return .issuer(nil, named: id) }
        return .passed("issuer", evidence: "the token's own iss, \(id), used to look up the keys and for no more")
    }

    /// Where a token's own `iss` names the issuer, the context can only agree or not.
    package func lookUpChecks(_ issuer: Issuer?, _ claimed: UnverifiedToken) -> [Check] {
        if context.issuerID == nil { return issuer == nil ? [] : [issuerCheck(issuer, claimed)] }
        return namedIssuerChecks(claimed)
    }

    /// Whether the token's `iss` is the issuer that the context names.
    package func namedIssuerChecks(_ claimed: UnverifiedToken) -> [Check] {
        guard let named = context.issuerID, let found = claimed.issuerID, found != named else { return [] }
        let evidence = "iss is \(Masking.excerpt(found, 40)), issuerId is \(Masking.excerpt(named, 40))"
        return [.failed("context.issuerId", ExplainFault.issuerDiffers, evidence: evidence)]
    }
}

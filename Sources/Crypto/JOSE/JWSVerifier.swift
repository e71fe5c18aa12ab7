package import Wire

/// A public key that may sign, with the name it was registered under.
package struct VerificationKey: Sendable {
    /// The registered name, if there is one.
    package let kid: String?
    /// The registered key.
    package let key: PublicKey
    /// The only algorithm it signs with, where it was registered with one (RFC 7517, section 4.4).
    package let algorithm: JWSAlgorithm?

    /// A registered key.
    package init(kid: String?, key: PublicKey, algorithm: JWSAlgorithm? = nil) {
        self.kid = kid
        self.key = key
        self.algorithm = algorithm
    }

    /// Whether the key may have signed with `algorithm`.
    func fits(_ algorithm: JWSAlgorithm) -> Bool {
        key.kind == algorithm.keyKind && (self.algorithm ?? algorithm) == algorithm
    }

    /// For evidence: what the key is, and what it was registered for.
    var summary: String { key.summary + (algorithm.map { ", registered for \($0.rawValue)" } ?? "") }

    /// For evidence.
    var name: String { "\(kid.map { "kid \($0)" } ?? "no kid"), thumbprint \(key.thumbprint)" }
}

/// Verifies tokens with registered keys and an allow-list of algorithms; nothing in the token adds to either.
package struct JWSVerifier: Sendable {
    /// What a token without `kid` means.
    package enum KidPolicy: Sendable {
        /// The only key is used; of several each is tried, and the check says so.
        case optional
        /// It is refused, and a key that was registered without `kid` is never used.
        case required
    }

    /// The allow-list.
    package let algorithms: [JWSAlgorithm]
    /// The keys that may sign.
    package let keys: [VerificationKey]
    /// What a missing kid means.
    package let kidPolicy: KidPolicy
    /// How strictly the token is read.
    package let parser: JWSParser

    /// A verifier of one use of one issuer.
    package init(
        algorithms: [JWSAlgorithm],
        keys: [VerificationKey],
        kidPolicy: KidPolicy = .optional,
        parser: JWSParser = JWSParser()
    ) {
        self.algorithms = algorithms
        self.keys = keys
        self.kidPolicy = kidPolicy
        self.parser = parser
    }

    /// Takes `token` apart and verifies it. The value stands also beside a failed check, so that the claims can be
    /// looked at for more mistakes.
    package func verify(_ token: String, field: String) -> Checked<ParsedJWS> {
        let parsed = parser.parse(token, field: field)
        guard let jws = parsed.value else { return parsed }
        return Checked(value: jws, checks: parsed.checks + verify(jws, field: field))
    }

    /// The checks of a token that was taken apart.
    package func verify(_ jws: ParsedJWS, field: String) -> [Check] {
        var verification = JWSVerification(jws: jws, verifier: self, field: field)
        verification.run()
        return verification.checks
    }
}

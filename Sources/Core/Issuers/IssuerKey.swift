package import Crypto
package import Wire

/// A public key that verifies what an issuer signs.
package struct IssuerKey: Sendable, Equatable {
    /// What a key signs.
    package enum Use: String, Sendable, CaseIterable {
        /// RS256 authorization codes of the TPC face.
        case authorizationCode
        /// Issuer tokens given to D1's `login`.
        case issuerToken
        /// ES256 assertions for D1's token endpoint.
        case d1Assertion

        /// What keys of this use sign with.
        package var algorithms: [JWSAlgorithm] {
            switch self {
            case .authorizationCode: [.rs256]
            case .issuerToken: JWSAlgorithm.allCases
            case .d1Assertion: [.es256]
            }
        }
    }

    /// What ``leewaySeconds`` may be: a day at most.
    package static let leeways: ClosedRange<Int64> = 0...86_400

    /// What it signs.
    package let use: Use
    /// The `kid` that names it; nil for a key that is tried when none is named.
    package let keyID: String?
    /// SubjectPublicKeyInfo as PEM, whatever form the key was given in.
    package let pem: String
    /// The member the key was given in and its value: `pem`, `jwk` or `certificate`. Public parts only.
    package let given: JSONObject
    /// How exactly a request is taken whose token names this key; nil takes the issuer's.
    package let strictness: Strictness?
    /// Seconds by which the clock of whoever signs with this key may differ; nil takes ``TimeClaims/usualLeeway``.
    ///
    /// A `jti` that was spent is remembered for as long as the leeway of that moment let its token live.
    package let leewaySeconds: Int64?
    /// The private half as PEM, of a pair that the sandbox made for the issuer: it is told once.
    package private(set) var privatePEM: String?

    /// A key that was read from `pem`.
    package init(
        use: Use,
        keyID: String?,
        pem: String,
        given: JSONObject? = nil,
        strictness: Strictness? = nil,
        leewaySeconds: Int64? = nil
    ) {
        self.use = use
        self.keyID = keyID
        self.pem = pem
        self.given = given ?? JSONObject([("pem", .string(pem))])
        self.strictness = strictness
        self.leewaySeconds = leewaySeconds
    }

    /// A pair that the sandbox made.
    package init(use: Use, keyID: String, pem: String, privatePEM: String) {
        self.init(use: use, keyID: keyID, pem: pem)
        self.privatePEM = privatePEM
    }

    /// The key as verifiers take it; nil when its text cannot be read, which a registered one's can.
    package var verificationKey: VerificationKey? {
        guard let key = try? PublicKey(pem: pem) else { return nil }
        let declared = given["jwk"]?["alg"]?.string.flatMap(JWSAlgorithm.init(rawValue:))
        return VerificationKey(kid: keyID, key: key, algorithm: declared)
    }

    var document: JSON {
        let json: JSON = [
            "use": .string(use.rawValue), "kid": .optional(keyID), "pem": .string(pem), "given": .object(given),
        ]
        let held = privatePEM.map { json.adding("privatePem", .string($0)) } ?? json
        let judged = strictness.map { held.adding("strictness", .string($0.rawValue)) } ?? held
        return leewaySeconds.map { judged.adding("leewaySeconds", .number($0)) } ?? judged
    }

    init(document: JSON) throws(RecordFault) {
        let reader = DocumentReader("issuer.key", document)
        use = try reader.word("use", Use.self)
        keyID = try reader.optionalString("kid")
        let pem = try reader.string("pem")
        self.pem = pem
        given = try reader.optionalObject("given") ?? JSONObject([("pem", .string(pem))])
        privatePEM = try reader.optionalString("privatePem")
        strictness = try reader.optionalWord("strictness", Strictness.self)
        leewaySeconds = try reader.optionalInteger("leewaySeconds")
        guard leewaySeconds.map(IssuerKey.leeways.contains) ?? true else {
            throw RecordFault(kind: Issuer.kind, member: "keys")
        }
    }
}

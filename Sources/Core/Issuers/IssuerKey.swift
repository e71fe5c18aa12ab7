package import Wire

/// A public key that verifies what an issuer signs.
package struct IssuerKey: Sendable, Equatable {
    package enum Use: String, Sendable, CaseIterable {
        /// RS256 authorization codes of the TPC face.
        case authorizationCode
        /// Issuer tokens given to D1's `login`.
        case issuerToken
        /// ES256 assertions for D1's token endpoint.
        case d1Assertion
    }

    package let use: Use
    package let keyID: String?
    /// SubjectPublicKeyInfo as PEM, whatever form the key was given in.
    package let pem: String
    /// The member the key was given in and its value: `pem`, `jwk` or `certificate`. Public parts only.
    package let given: JSONObject
    /// How exactly a request is taken whose token names this key; nil takes the issuer's.
    package let strictness: Strictness?

    package init(use: Use, keyID: String?, pem: String, given: JSONObject? = nil, strictness: Strictness? = nil) {
        self.use = use
        self.keyID = keyID
        self.pem = pem
        self.given = given ?? JSONObject([("pem", .string(pem))])
        self.strictness = strictness
    }

    var document: JSON {
        let json: JSON = [
            "use": .string(use.rawValue), "kid": .optional(keyID), "pem": .string(pem), "given": .object(given),
        ]
        return strictness.map { json.adding("strictness", .string($0.rawValue)) } ?? json
    }

    init(document: JSON) throws(RecordFault) {
        let reader = DocumentReader("issuer.key", document)
        use = try reader.word("use", Use.self)
        keyID = try reader.optionalString("kid")
        let pem = try reader.string("pem")
        self.pem = pem
        given = try reader.optionalObject("given") ?? JSONObject([("pem", .string(pem))])
        strictness = try reader.optionalWord("strictness", Strictness.self)
    }
}

import Core
import Crypto
import Masking
import Traffic
import Wire

/// A public key in one of the forms that a client may have it in: PEM, JWK or certificate.
enum KeyDocument {
    /// The keys of an issuer. A `kid` that two keys of one use have would not say which of them signed.
    static func issuerKeys(_ fields: ControlFields, keyFile: IssuerDocument.KeyFile?) throws(Refusal) -> [IssuerKey] {
        var keys: [IssuerKey] = []
        for entry in try fields.list("keys") {
            let key = try issuerKey(entry, keyFile: keyFile)
            if let kid = key.keyID, keys.contains(where: { $0.use == key.use && $0.keyID == kid }) {
                let evidence = "\(key.use.rawValue), kid \(Masking.excerpt(kid, 80))"
                throw entry.refusal(entry.has("kid") ? "kid" : "jwk/kid", .keyNameTaken, evidence: evidence)
            }
            keys.append(key)
        }
        return keys
    }

    private static func issuerKey(
        _ fields: ControlFields,
        keyFile: IssuerDocument.KeyFile?
    ) throws(Refusal) -> IssuerKey {
        fields.expect("use", "kid", "pem", "jwk", "certificate", "strictness", "leewaySeconds")
        let use = try fields.requiredWord("use", IssuerKey.Use.self)
        let jwkKeyID = fields.value("jwk")?["kid"]?.string
        let kid = try fields.optionalString("kid") ?? jwkKeyID
        let key = try publicKey(fields, keyFile: keyFile)
        try JWKMembers.check(fields, use: use, kid: kid)
        if use == .authorizationCode, key.kind != .rsa {
            throw fields.refusal("pem", .keyInvalid, evidence: "RS256 needs an RSA key, this is \(key.summary)")
        }
        if use == .d1Assertion, key.kind != .p256 {
            throw fields.refusal("pem", .keyInvalid, evidence: "ES256 needs a P-256 key, this is \(key.summary)")
        }
        return IssuerKey(
            use: use,
            keyID: kid,
            pem: key.pem,
            given: given(fields),
            strictness: try fields.word("strictness", Strictness.self),
            leewaySeconds: try fields.integer("leewaySeconds", in: IssuerKey.leeways)
        )
    }

    /// Private members of a JWK (RFC 7518, section 6), which never come back.
    private static let privateMembers: Set<String> = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]

    /// The key as it was put; nil for one from a file, and for a text that has a private key beside the public one.
    private static func given(_ fields: ControlFields) -> JSONObject? {
        if case .object(let jwk)? = fields.value("jwk") {
            let members = jwk.members.filter { !privateMembers.contains($0.key) }
            return JSONObject([("jwk", .object(JSONObject(members.map { ($0.key, $0.value) })))])
        }
        for member in ["pem", "certificate"] {
            guard let value = fields.value(member) else { continue }
            return value.string?.contains("PRIVATE KEY") == true ? nil : JSONObject([(member, value)])
        }
        return nil
    }

    static func publicKey(_ fields: ControlFields, keyFile: IssuerDocument.KeyFile?) throws(Refusal) -> PublicKey {
        let given = ["pem", "jwk", "certificate", "pemFile"].filter(fields.has)
        guard given.count == 1, let form = given.first else {
            throw fields.refusal("pem", .keyInvalid, evidence: "one of pem, jwk and certificate is wanted")
        }
        do {
            switch form {
            case "jwk": return try PublicKey(jwk: fields.value("jwk") ?? .null)
            case "certificate":
                let text = try fields.string("certificate")
                if let der = try? Base64.decode(text) { return try Certificate(der: der).publicKey }
                return try Certificate(pem: text).publicKey
            case "pemFile":
                guard let keyFile else { throw fields.refusal(form, .keyInvalid, evidence: "only fixtures name files") }
                return try PublicKey(pem: try keyFile(try fields.string(form)))
            default: return try PublicKey(pem: try fields.string("pem"))
            }
        } catch let refusal as Refusal {
            throw refusal
        } catch {
            throw fields.refusal(form, .keyInvalid, evidence: String(describing: error))
        }
    }
}

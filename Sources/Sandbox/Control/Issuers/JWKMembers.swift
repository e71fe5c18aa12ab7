import Core
import Crypto
import Masking
import Traffic
import Wire

/// What a JWK says about itself besides the key (RFC 7517, sections 4.2 to 4.5): it must fit the entry it stands in.
enum JWKMembers {
    /// - Throws: a refusal with a pointer to the member that says otherwise.
    static func check(_ fields: ControlFields, use: IssuerKey.Use, kid: String?) throws(Refusal) {
        guard case .object(let jwk)? = fields.value("jwk") else { return }
        let entry = "the entry is for \(use.rawValue)"
        if let value = jwk["use"], value.string != "sig" {
            throw refusal(fields, "use", value, "sig is wanted, \(entry)")
        }
        if let value = jwk["key_ops"] {
            let operations = value.array?.map(\.string)
            guard operations?.contains("verify") == true else {
                throw refusal(fields, "key_ops", value, "verify is not among them, \(entry)")
            }
        }
        if let value = jwk["alg"] {
            let algorithms = use.algorithms.map(\.rawValue)
            guard algorithms.contains(where: { $0 == value.string }) else {
                throw refusal(fields, "alg", value, "\(entry), which is \(algorithms.joined(separator: " or "))")
            }
        }
        if let value = jwk["kid"], value.string != kid {
            throw refusal(fields, "kid", value, "the entry's kid is \(Masking.excerpt(kid ?? "", 80))")
        }
    }

    private static func refusal(_ fields: ControlFields, _ name: String, _ value: JSON, _ why: String) -> Refusal {
        let seen = value.string.map { Masking.excerpt($0, 40) } ?? "a JSON \(value.typeName)"
        return fields.refusal("jwk/\(name)", .keyInvalid, evidence: "\(name) \(seen): \(why)")
    }
}

import Core
import Wire

/// An issuer as the control API prints it: as it was put, private keys left out.
enum IssuerMessage {
    static func json(_ issuer: Issuer) -> JSON { json(issuer, telling: []) }

    /// - Parameter made: keys whose private halves are told.
    static func json(_ issuer: Issuer, telling made: [IssuerKey]) -> JSON {
        let keys = issuer.verificationKeys.map { one in
            guard made.contains(one), let privatePEM = one.privatePEM else { return key(one) }
            return key(one).adding("privateKey", .string(privatePEM))
        }
        var json: JSON = [
            "issuerId": .string(issuer.issuerID), "name": .string(issuer.name), "keys": .array(keys),
            "accountRanges": .array(issuer.accountRanges.map(\.document)),
            "networkKeys": networkKeys(issuer.networkKeys), "policies": issuer.policies.document,
        ]
        if !issuer.clientCertificates.isEmpty {
            json = json.adding("clientCertificates", .array(issuer.clientCertificates.map { .string($0) }))
        }
        for member in issuer.extras.members { json = json.adding(member.key, member.value) }
        return json
    }

    private static func key(_ key: IssuerKey) -> JSON {
        let json: JSON = ["use": .string(key.use.rawValue)]
        let named = key.keyID.map { json.adding("kid", .string($0)) } ?? json
        let judged = key.strictness.map { named.adding("strictness", .string($0.rawValue)) } ?? named
        let timed = key.leewaySeconds.map { judged.adding("leewaySeconds", .number($0)) } ?? judged
        return key.given.members.reduce(timed) { $0.adding($1.key, $1.value) }
    }

    private static func networkKeys(_ keys: NetworkKeys) -> JSON {
        let tav = keys.mastercard.map(TAVKeyDocument.json)
        return ["mastercard": ["tav": .array(tav)], "visa": ["keySetId": .string(keys.visa.keySetID)]]
    }
}

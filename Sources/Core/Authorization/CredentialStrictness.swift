package import Crypto
import Wire

/// How a credential, one of the issuer's keys, bends the rules. Which strictness a request is judged by: the tenant's, the
/// issuer's or the credential's; the narrowest wins (CONTRACT, section 1). How far its clock may be off.
extension Issuer {
    /// The issuer's own strictness, else the tenant's.
    package func strictness(tenant: Strictness) -> Strictness { policies.strictness ?? tenant }

    /// The strictness of a request that carries `token`: that of the key which the token names, else the issuer's.
    ///
    /// Nothing is verified here. The signature must be of that very key, so that no other key gets its rules.
    ///
    /// - Parameter token: a compact JWS as it was sent; nil when the request has none.
    package func strictness(of token: String?, use: IssuerKey.Use, tenant: Strictness) -> Strictness {
        let own = strictness(tenant: tenant)
        let keys = keys(for: use)
        guard let token, keys.contains(where: { $0.strictness != nil }),
            let jws = JWSParser(acceptsSlips: true).parse(token, field: "token").value
        else { return own }
        let credentials = Issuer.credentials(of: jws, among: keys)
        return Strictness.strictest(credentials.map { $0.strictness ?? own }) ?? own
    }

    /// Seconds by which the times of a token may be off: those of the key which the token names, the smallest when several
    /// have its `kid`, else ``TimeClaims/usualLeeway``.
    package func leeway(of jws: ParsedJWS, use: IssuerKey.Use) -> Int64 {
        let credentials = Issuer.credentials(of: jws, among: keys(for: use))
        return credentials.map { $0.leewaySeconds ?? TimeClaims.usualLeeway }.min() ?? TimeClaims.usualLeeway
    }

    /// The keys a token names: those with its `kid`, else the only key there is. Several keys may share a `kid`.
    private static func credentials(of jws: ParsedJWS, among keys: [IssuerKey]) -> [IssuerKey] {
        if let kid = jws.kid {
            let named = keys.filter { $0.keyID == kid }
            if !named.isEmpty { return named }
        }
        guard keys.count == 1, jws.header["kid"] == nil || keys[0].keyID == nil else { return [] }
        return keys
    }
}

extension Strictness {
    /// The one that refuses most; nil of none.
    package static func strictest(_ all: [Strictness]) -> Strictness? {
        [Strictness.strict, .documented, .lenient].first(where: all.contains)
    }
}

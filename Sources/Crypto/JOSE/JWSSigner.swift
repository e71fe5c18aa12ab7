package import Wire

/// Makes compact JWS, as an issuer's backend does.
package enum JWSSigner {
    /// A token over `claims`.
    ///
    /// - Parameter header: members after `alg`, `typ` and `kid`; for tests and fixtures.
    /// - Throws: ``CryptoError`` when the algorithm does not fit the key.
    package static func sign(
        _ claims: JSON,
        _ algorithm: JWSAlgorithm,
        key: PrivateKey,
        kid: String? = nil,
        header extra: JSONObject = JSONObject()
    ) throws(CryptoError) -> String {
        var header = JSONObject([("alg", .string(algorithm.rawValue)), ("typ", "JWT")])
        if let kid { header["kid"] = .string(kid) }
        for (name, value) in extra.members { header[name] = value }
        let input = Base64.encode(JSON.object(header).bytes, .url) + "." + Base64.encode(claims.bytes, .url)
        return input + "." + Base64.encode(try signature(of: Array(input.utf8), algorithm, key: key), .url)
    }

    /// The signature of `input` in the form that JOSE wants.
    package static func signature(
        of input: [UInt8],
        _ algorithm: JWSAlgorithm,
        key: PrivateKey
    ) throws(CryptoError) -> [UInt8] {
        guard key.kind == algorithm.keyKind else {
            throw CryptoError("\(algorithm.rawValue) with a \(key.kind.rawValue) key")
        }
        let signature = try key.sign(input, algorithm.signature)
        guard key.kind.curve != nil, let length = key.kind.coordinateLength else { return signature }
        guard let raw = ECDSASignature.raw(signature, length: length) else { throw CryptoError("ECDSA signature") }
        return raw
    }
}
